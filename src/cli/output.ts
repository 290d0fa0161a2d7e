/** Where a command writes: `process`, or something that keeps what it is told. */
export interface CliOutput {
  readonly stdout: {
    write(text: string): unknown
    /** Absent where there is no terminal; heeds `NO_COLOR` and its like. */
    hasColors?(): boolean
  }
  readonly stderr: { write(text: string): unknown }
}
