import { describe, expect, test } from 'vitest'
import { type ProjectOptions, type ReplayProjectOptions, replayProject, traceReplay } from './plugin.ts'

describe('options that cannot be used', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  test.each<[string, object, string]>([
    ['an unknown one', { timescale: 0 }, 'unknown option `timescale`. Did you mean `timeScale`?'],
    ['an unknown value', { substitute: 'alive' }, "`substitute` is 'alive', expected 'live' | 'recorded'. Did you mean 'live'?"],
    ['a negative factor', { timeScale: -1 }, '`timeScale`'],
    ['no duration', { maxWait: '45 parsecs' }, '`maxWait`: "45 parsecs" is not a duration.'],
    ['a workload', { workload: { name: 'x', open: () => [] } }, '`workload` cannot be set for a whole project.'],
    ['stages', { stages: [] }, '`stages` cannot be set for a whole project.'],
    ['a signal', { signal: AbortSignal.abort() }, '`signal` cannot be set for a whole project.'],
    ['a target without a URL', { target: { kind: 'vllm', url: undefined } }, 'expected the server’s base URL'.replace('’', "'")],
    ['an unknown kind of target', { target: { kind: 'vlm', url: 'http://127.0.0.1:1' } }, "Did you mean 'vllm'?"],
    [
      'both a target and a simulator',
      { target: { kind: 'vllm', url: 'http://127.0.0.1:1' }, simulator: {} },
      '`target` and `simulator` exclude each other.',
    ],
    [
      'a function',
      { simulator: { faults: [{ when: { match: () => true }, do: { kind: 'empty' } }] } },
      '`simulator.faults[0].when.match` is a function. Project options are sent to Vitest',
    ],
    [
      'an instance of a class',
      { target: { kind: 'vllm', url: new URL('http://127.0.0.1') } },
      '`target.url` is an instance of URL.',
    ],
    ['a date', { simulator: { x: new Date(0) } }, '`simulator.x` is an instance of Date.'],
    ['a big integer', { simulator: { x: 1n } }, '`simulator.x` is a bigint.'],
    ['a symbol', { simulator: { x: Symbol('x') } }, '`simulator.x` is a symbol.'],
    ['a circle', { simulator: { x: [circular] } }, '`simulator.x[0].self` is a reference to an object around it.'],
  ])('%s', (_, options, message) => {
    expect(() => traceReplay(options as ProjectOptions)).toThrow(message)
    expect(() => replayProject(options as ReplayProjectOptions)).toThrow(message)
  })

  test('what is no object at all', () => {
    expect(() => traceReplay('fast' as unknown as object)).toThrow('traceReplay(options)')
    expect(() => traceReplay(null as unknown as object)).toThrow('traceReplay(options)')
  })

  test.each<[ReplayProjectOptions, string]>([
    [{ testTimeout: '45 parsecs' }, '`testTimeout`: "45 parsecs" is not a duration.'],
    [{ include: [] }, '`include`'],
    [{ include: '**/*.perf.ts' as unknown as string[] }, "`include` is '**/*.perf.ts', expected an array."],
    [{ exclude: [''] }, '`exclude[0]`'],
    [{ name: '' }, '`name`'],
    [{ incude: ['**/*.perf.ts'] } as object, 'unknown option `incude`. Did you mean `include`?'],
    [{ timeout: '5m' } as object, 'Known: include, exclude, name, testTimeout, target, '],
  ])('of the project: %j', (options, message) => {
    expect(() => replayProject(options)).toThrow(message)
  })

  test('the stack starts at the user’s line', () => {
    try {
      replayProject({ timescale: 0 } as object)
      expect.unreachable()
    } catch (error) {
      expect((error as Error).stack?.split('\n')[1]).toContain('plugin.test.ts')
    }
  })
})

test('what is undefined is as good as left out', () => {
  expect(() => traceReplay({ target: undefined, maxWait: undefined })).not.toThrow()
  expect(() => replayProject({ include: undefined, testTimeout: undefined, simulator: undefined })).not.toThrow()
})

test('an object without a prototype is plain data', () => {
  expect(() => traceReplay({ simulator: Object.assign(Object.create(null), { speed: 10 }) })).not.toThrow()
})

test('no two projects share a group, so that no two load anything at once', () => {
  const [one, two] = [replayProject({ name: 'one' }), replayProject({ name: 'two' })]
  expect(one.test?.sequence?.groupOrder).not.toBe(two.test?.sequence?.groupOrder)
})

test('excluded globs come on top of Vitest’s own', () => {
  expect(replayProject().test?.exclude).toBeUndefined()
  expect(replayProject({ exclude: ['slow/**'] }).test?.exclude).toEqual(['**/node_modules/**', '**/.git/**', 'slow/**'])
})
