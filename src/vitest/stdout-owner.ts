/** Reporters that print on stdout, for a program to read, unless they are given a file. */
const MACHINE_READABLE = new Set(['json', 'junit', 'tap', 'tap-flat'])

interface ReporterConfig {
  readonly reporters: readonly unknown[]
  readonly outputFile?: string | Readonly<Record<string, string | undefined>> | undefined
}

/**
 * Whether stdout belongs to a reporter whose output a stray line would break.
 *
 * @param vitestVersion from 5 on the json and junit reporters write a file, unless they are told to use stdout
 */
export function stdoutIsMachineReadable({ reporters, outputFile }: ReporterConfig, vitestVersion: string): boolean {
  const filesByDefault = Number.parseInt(vitestVersion, 10) >= 5
  return reporters.some((entry) => {
    const [name, options]: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
    if (typeof name !== 'string' || !MACHINE_READABLE.has(name)) return false
    // The tap reporters know no file.
    if (name.startsWith('tap')) return true
    const own = optionsOf(options)
    const file = own.outputFile ?? (typeof outputFile === 'string' ? outputFile : outputFile?.[name])
    return file === undefined && (!filesByDefault || own.stdout === true)
  })
}

function optionsOf(options: unknown): { readonly outputFile?: unknown; readonly stdout?: unknown } {
  return typeof options === 'object' && options !== null ? options : {}
}
