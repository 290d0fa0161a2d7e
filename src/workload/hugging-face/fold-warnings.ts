import type { Warn, Warning } from '../../base/index.ts'

/**
 * A table has thousands of rows, and what is wrong with one is often wrong with all: the first is named, the others are
 * counted.
 */
export class FoldedWarnings {
  readonly #warnings = new Map<string, Warning & { count: number }>()
  readonly #into: Warn

  constructor(into: Warn) {
    this.#into = into
  }

  readonly warn: Warn = (warning) => {
    const key = `${warning.code}\n${fileOf(warning.where)}\n${withoutPlace(warning.message)}`
    const known = this.#warnings.get(key)
    if (known === undefined) this.#warnings.set(key, { ...warning, count: warning.count ?? 1 })
    else known.count += warning.count ?? 1
  }

  /** Passes on what was gathered, and forgets it. */
  flush(): void {
    for (const { count, ...warning } of this.#warnings.values()) this.#into(count === 1 ? warning : { ...warning, count })
    this.#warnings.clear()
  }
}

/** `data.parquet#12` → `data.parquet` */
function fileOf(where = ''): string {
  return where.replace(/#\d+$/, '')
}

/** Messages about a span begin with it. */
function withoutPlace(message: string): string {
  return message.replace(/^spans?\b[^:]*: /, '')
}
