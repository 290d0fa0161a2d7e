/** What is kept of a span once its content has been read: its place in the tree and who acted there. */
export interface SpanNode {
  readonly id: string
  readonly traceId: string
  readonly parentId: string
  readonly startMs: number
  readonly endMs: number
  readonly scope: string
  /** `''` when the span names none. */
  readonly agent: string
  /** Id of the conversation or session the span says it belongs to, else `''`. */
  readonly conversation: string
}

/** Nobody nests deeper, and a chain of a hundred thousand parents must not cost its square. */
const LONGEST_PATH = 256

export function spanKey({ traceId, id }: { readonly traceId: string; readonly id: string }): string {
  return `${traceId}/${id}`
}

/** The spans of one input set, by trace and id. Parents may come after their children, from another file, or not at all. */
export class SpanTree {
  readonly #nodes = new Map<string, SpanNode>()

  get(key: { readonly traceId: string; readonly id: string }): SpanNode | undefined {
    return this.#nodes.get(spanKey(key))
  }

  add(node: SpanNode): void {
    this.#nodes.set(spanKey(node), node)
  }

  /** The spans around a span, from the nearest outwards. A cycle ends it. */
  *ancestors(node: SpanNode): Generator<SpanNode> {
    const seen = new Set([node])
    let parent = this.get({ traceId: node.traceId, id: node.parentId })
    while (parent !== undefined && !seen.has(parent) && seen.size <= LONGEST_PATH) {
      yield parent
      seen.add(parent)
      parent = this.get({ traceId: parent.traceId, id: parent.parentId })
    }
  }

  /** Ids of the spans around a span, outermost first. A parent that no file holds is named all the same. */
  path(node: SpanNode): string[] {
    const around = [...this.ancestors(node)]
    const ids = around.map(({ id }) => id)
    const outermost = around.at(-1) ?? node
    if (outermost.parentId !== '' && this.get({ traceId: outermost.traceId, id: outermost.parentId }) === undefined) {
      ids.push(outermost.parentId)
    }
    return ids.reverse()
  }
}
