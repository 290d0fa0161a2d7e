import { isJsonObject, type JsonObject, textOf } from '../../message/index.ts'
import { toAttributes } from '../attributes.ts'
import { describeValue } from '../describe-value.ts'
import type { FileReport } from '../file-report.ts'
import { readId } from '../id.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import { fromAnyTime } from '../time.ts'
import type { Container } from './container.ts'
import { readFlatAttributes } from './flat-spans.ts'

/**
 * A trace as Langfuse's UI and API give it out: `{ trace, observations }`, a trace with its observations inside, or observations
 * alone. What Langfuse took out of a span's attributes (input, output, usage) is put back under the names its SDK writes.
 */
export const langfuseExport: Container = {
  name: 'Langfuse export',
  looksLike: '{ "trace": {…}, "observations": [{ "id", "type", "startTime" }] }',
  recognises: (document) => isObservation(observationsIn(document)?.[0]),
  read(document, report) {
    const trace = isJsonObject(document) ? (isJsonObject(document.trace) ? document.trace : document) : {}
    return { spans: readObservations(observationsIn(document) ?? [], trace, report), logs: [] }
  },
}

function observationsIn(document: unknown): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document
  if (!isJsonObject(document)) return undefined
  const { observations, data } = document
  if (Array.isArray(observations)) return observations
  return Array.isArray(data) ? data : [document]
}

function isObservation(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === 'string' && 'traceId' in value && 'startTime' in value && 'id' in value
}

function* readObservations(observations: readonly unknown[], trace: JsonObject, report: FileReport): Generator<Span> {
  for (const [index, observation] of observations.entries()) {
    const where = `observations[${index}]`
    if (!isJsonObject(observation))
      report.refuse('INVALID_TRACE', `Found ${describeValue(observation)}, expected an object.`, where)
    else if (readId(observation.id) === '') report.refuse('INVALID_TRACE', 'The observation has no id.', where)
    else yield readObservation(observation, trace)
  }
}

function readObservation(observation: JsonObject, trace: JsonObject): Span {
  const metadata = asObject(observation.metadata)
  const scope = asObject(metadata.scope)
  const startMs = fromAnyTime(observation.startTime)
  const endMs = fromAnyTime(observation.endTime)
  return {
    id: readId(observation.id),
    traceId: readId(observation.traceId),
    parentId: readId(observation.parentObservationId),
    name: textOf(observation.name),
    scope: textOf(scope.name),
    kind: 'unspecified',
    startMs,
    // Events have no end.
    endMs: Number.isNaN(endMs) ? startMs : endMs,
    status: { code: observation.level === 'ERROR' ? 'error' : 'unset', message: textOf(observation.statusMessage) },
    attributes: attributesOf(observation, metadata, trace),
    events: [],
    resource: readFlatAttributes(metadata.resourceAttributes),
  }
}

function attributesOf(observation: JsonObject, metadata: JsonObject, trace: JsonObject): Attributes {
  const usage = observation.usageDetails ?? observation.usage
  return toAttributes([
    ...readFlatAttributes(metadata.attributes),
    ['session.id', textOf(trace.sessionId)],
    ['langfuse.observation.type', textOf(observation.type).toLowerCase()],
    ['langfuse.observation.input', asValue(observation.input)],
    ['langfuse.observation.output', asValue(observation.output)],
    ['langfuse.observation.model.name', textOf(observation.model)],
    ['langfuse.observation.model.parameters', asValue(observation.modelParameters)],
    ['langfuse.observation.usage_details', asValue(usage)],
    ['langfuse.observation.completion_start_time', textOf(observation.completionStartTime)],
  ])
}

/** Objects may come as JSON text. */
function asObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isJsonObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function asValue(value: unknown): AttributeValue {
  // Whatever came out of JSON is an attribute value.
  return (value ?? null) as AttributeValue
}
