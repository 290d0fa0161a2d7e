import { topologicalGenerations } from 'graphology-dag'
import { formatDuration, type Warning } from '../base/index.ts'
import { dependencyGraph, type Edge, type GraphNode, type ReplayGraph, type Splice } from '../graph/index.ts'
import type { Call, TokenUsage } from '../message/index.ts'
import { formatCount, plain, printable, type Styler } from '../report/index.ts'
import { toolCallNames } from './inspect-json.ts'

/** Longer lists keep their first and last entries: a session of hundreds of calls stays readable. */
const MOST_LISTED = 8

/** What a renderer of one session needs throughout. */
interface View {
  readonly styler: Styler
  /** Call id → `#3`, its place in the session. */
  readonly numberOf: (id: string) => string
}

/** The graphs for a person: each session's calls in order, what each waits for and why, and what it takes over live. */
export function renderInspectText(
  graphs: readonly ReplayGraph[],
  warnings: readonly Warning[],
  { styler = plain }: { readonly styler?: Styler } = {},
): string {
  const blocks = graphs.map((graph) => sessionText(graph, styler))
  if (warnings.length > 0) blocks.push(warningsText(warnings, styler))
  if (graphs.length > 1) blocks.push(totalText(graphs))
  return `${blocks.join('\n\n')}\n`
}

function sessionText(graph: ReplayGraph, styler: Styler): string {
  const { session, nodes } = graph
  const numbers = new Map(nodes.map(({ call }, index) => [call.id, `#${index + 1}`]))
  const view: View = { styler, numberOf: (id) => numbers.get(id) ?? printable(id) }
  const steps = topologicalGenerations(dependencyGraph(graph))
  const widest = Math.max(0, ...steps.map((step) => step.length))
  const facts = present([
    counted(nodes.length, 'call'),
    counted(steps.length, 'step') + (widest > 1 ? ` of up to ${widest} calls` : ''),
    formatDuration(nodes.reduce((latest, { call }) => Math.max(latest, call.endMs), 0)),
    tokensText(totalUsage(nodes)),
  ])
  return [
    `${styler.bold(printable(session.id))}  ${facts.join(' · ')}`,
    styler.dim(printable(session.source)),
    ...nodes.map((node, index) => `\n${callText(node, index, view)}`),
  ].join('\n')
}

function callText(node: GraphNode, index: number, view: View): string {
  const { call, splices } = node
  const { styler } = view
  const number = `#${index + 1}`
  const time = `at ${formatDuration(call.startMs)} for ${formatDuration(call.endMs - call.startMs)}`
  const details = present([...waitLines(node, view), splicesText(splices, view), contentText(call), faultText(call, styler)])
  const indent = ' '.repeat(number.length + 2)
  return [
    `${number}  ${styler.bold(printable(call.id))}  ${namesOf(call).join('  ')}  ${styler.dim(time)}`,
    ...details.map((line) => indent + line),
  ].join('\n')
}

function waitLines({ edges, waitMs }: GraphNode, { styler, numberOf }: View): string[] {
  const edgeText = ({ from, kind, evidence }: Edge) => `${numberOf(from)}  ${kind}  ${styler.dim(printable(evidence))}`
  const [first, ...others] = edges
  if (first === undefined) return ['starts at once']
  const waits = `waits ${formatDuration(waitMs)} `
  const below = ' '.repeat(waits.length)
  return [
    `${waits}after ${edgeText(first)}`,
    ...shortened(
      others.map((edge) => `${below}and   ${edgeText(edge)}`),
      (left) => `${below}… ${left} more`,
    ),
  ]
}

/** The span's name; the agent and the model where the name does not hold them already. */
function namesOf({ name, agent, model }: Call): string[] {
  const further = [agent ?? '', model].filter((other) => !name.includes(other))
  return [name, ...further].map(printable)
}

/** `live  messages[2] ← #1, messages[4] ← text of #2, #3` */
function splicesText(splices: readonly Splice[], { numberOf }: View): string {
  const sources = new Map<string, Set<string>>()
  for (const { kind, message, from } of splices) {
    const place = `messages[${message}] ← ${kind === 'text' ? 'text of ' : ''}`
    sources.set(place, (sources.get(place) ?? new Set()).add(numberOf(from)))
  }
  const places = [...sources].map(([place, from]) => place + listed([...from]))
  return places.length === 0 ? '' : `live  ${listed(places)}`
}

function contentText({ messages, tools, output, usage }: Call): string {
  const input = present([counted(messages.length, 'message'), tools.length === 0 ? '' : counted(tools.length, 'tool')])
  const names = toolCallNames(output)
  return present([input.join(', '), names.length === 0 ? '' : `calls ${namesText(names)}`, tokensText(usage)]).join(' · ')
}

function faultText({ error, output }: Call, styler: Styler): string {
  if (error !== null) return styler.bad(`failed: ${printable(error)}`)
  return output === null ? styler.warn('its output was not recorded') : ''
}

/** `get_weather ×2, read_file` */
function namesText(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return listed([...counts].map(([name, count]) => printable(name) + (count > 1 ? ` ×${count}` : '')))
}

function tokensText(usage: TokenUsage | null): string {
  const { inputTokens, cachedInputTokens = 0, outputTokens } = usage ?? {}
  const cached = cachedInputTokens === 0 ? '' : ` (${formatCount(cachedInputTokens)} cached)`
  const parts = present([
    inputTokens === undefined ? '' : `${formatCount(inputTokens)}${cached} in`,
    outputTokens === undefined ? '' : `${formatCount(outputTokens)} out`,
  ])
  return parts.length === 0 ? '' : `tokens ${parts.join(', ')}`
}

function totalUsage(nodes: readonly GraphNode[]): TokenUsage {
  const total: { inputTokens?: number; cachedInputTokens?: number; outputTokens?: number } = {}
  for (const { call } of nodes) {
    for (const field of ['inputTokens', 'cachedInputTokens', 'outputTokens'] as const) {
      const tokens = call.usage?.[field]
      if (tokens !== undefined) total[field] = (total[field] ?? 0) + tokens
    }
  }
  return total
}

function warningsText(warnings: readonly Warning[], styler: Styler): string {
  return [styler.warn(counted(warnings.length, 'warning')), ...warnings.map((warning) => `  ${warningText(warning)}`)].join('\n')
}

/** One line, safe to print. */
export function warningText({ where, message, count = 1 }: Warning): string {
  const place = where === undefined ? '' : `${printable(where)}: `
  return `${place}${printable(message)}${count === 1 ? '' : ` (×${count})`}`
}

function totalText(graphs: readonly ReplayGraph[]): string {
  const calls = graphs.reduce((sum, { nodes }) => sum + nodes.length, 0)
  return `${counted(graphs.length, 'session')}, ${counted(calls, 'call')}`
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

function listed(items: readonly string[]): string {
  return shortened(items, (left) => `… ${left} more …`).join(', ')
}

/** The first and last entries of a long list, and between them how many were left out. */
function shortened(items: readonly string[], gap: (left: number) => string): string[] {
  if (items.length <= MOST_LISTED) return [...items]
  const kept = MOST_LISTED / 2
  return [...items.slice(0, kept), gap(items.length - MOST_LISTED), ...items.slice(-kept)]
}

function present(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '')
}
