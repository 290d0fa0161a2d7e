/** Something that was skipped, repaired or ignored. Nothing is dropped silently: every such thing becomes one of these. */
export interface Warning {
  /** Stable, kebab-case, for filtering: `'invalid-trace-skipped'`, `'unreadable-message'`, … */
  readonly code: string
  /** For the person who reads it: what happened and, where there is one, the way out. */
  readonly message: string
  /** File, session, span or option the warning is about. */
  readonly where?: string
  /** How many times it happened, when equal warnings were folded into this one. */
  readonly count?: number
}

/** Receives warnings as they arise; passed down as an argument, so that pure layers stay pure. */
export type Warn = (warning: Warning) => void
