import type { Clock } from '../base/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { Target } from './target.ts'

export interface EndpointDependencies {
  readonly clock: Clock
}

export function createEndpoint(_target: Target, _dependencies: EndpointDependencies): Endpoint {
  throw new Error('not written yet')
}
