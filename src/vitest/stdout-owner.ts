/** Reporters that print on stdout, for a program to read, unless they are given a file. */
const MACHINE_READABLE = new Set(['json', 'junit', 'tap', 'tap-flat'])

interface ReporterConfig {
  readonly reporters: readonly unknown[]
  readonly outputFile?: string | Readonly<Record<string, string | undefined>> | undefined
}

/** Whether stdout belongs to a reporter whose output a stray line would break. */
export function stdoutIsMachineReadable({ reporters, outputFile }: ReporterConfig): boolean {
  return reporters.some((entry) => {
    const [name, options]: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
    if (typeof name !== 'string' || !MACHINE_READABLE.has(name)) return false
    // The tap reporters know no file.
    return name.startsWith('tap') || (ownFile(options) ?? sharedFile(name, outputFile)) === undefined
  })
}

function ownFile(options: unknown): unknown {
  return typeof options === 'object' && options !== null && 'outputFile' in options ? options.outputFile : undefined
}

function sharedFile(reporter: string, outputFile: ReporterConfig['outputFile']): string | undefined {
  return typeof outputFile === 'string' ? outputFile : outputFile?.[reporter]
}
