import { arch, cpus, platform } from 'node:os'

/** What this client runs on, as far as it matters to figures: `linux x64, 8 × AMD EPYC 7B13`. */
export function describeMachine(): string {
  const processors = cpus()
  const model = processors[0]?.model.replaceAll(/\s+/g, ' ').trim() || 'unknown processor'
  return `${platform()} ${arch()}, ${processors.length} × ${model}`
}
