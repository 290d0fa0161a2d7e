import { formatDuration } from '../base/index.ts'
import type { GraphNode, ReplayGraph } from '../graph/index.ts'

/**
 * The graphs as one Mermaid flowchart, a subgraph for each session: solid arrows are edges from content, dotted ones from
 * time.
 */
export function renderInspectMermaid(graphs: readonly ReplayGraph[]): string {
  return `${['flowchart TD', ...graphs.flatMap(subgraph)].join('\n')}\n`
}

function subgraph({ session, nodes }: ReplayGraph, index: number): string[] {
  // Ids from the trace may hold anything; these cannot collide with Mermaid's words.
  const names = new Map(nodes.map(({ call }, k) => [call.id, `s${index + 1}c${k + 1}`]))
  const nameOf = (id: string) => names.get(id) ?? ''
  const boxes = nodes.map((node, k) => `    ${nameOf(node.call.id)}["${labelOf(node, k)}"]`)
  const arrows = nodes.flatMap(({ call, edges }) =>
    edges.map(({ from, kind }) => {
      const arrow = kind === 'temporal' ? '-.->' : '-->'
      return `    ${nameOf(from)} ${arrow}|"${kind}"| ${nameOf(call.id)}`
    }),
  )
  return [`  subgraph s${index + 1}["${escaped(session.id)}"]`, ...boxes, ...arrows, '  end']
}

function labelOf({ call, waitMs }: GraphNode, index: number): string {
  const tookMs = call.endMs - call.startMs
  const times =
    waitMs > 0 ? `waits ${formatDuration(waitMs)}, takes ${formatDuration(tookMs)}` : `takes ${formatDuration(tookMs)}`
  return [`#35;${index + 1} ${escaped(call.id)}`, ...(call.name === call.id ? [] : [escaped(call.name)]), times].join('<br/>')
}

/** Mermaid reads `#…;` as a character; quotes, markup, back-ticks and line breaks would end or change the label. */
function escaped(text: string): string {
  return text
    .replace(/[#&<>"`\\]/g, (character) => `#${character.charCodeAt(0)};`)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
