import type { Warn } from '../base/index.ts'
import type { ToolDefinition } from '../message/index.ts'
import { oncePerObject } from './once-per-object.ts'
import type { ServerDialect } from './server-dialect.ts'
import { withinGrammar } from './tool-schema-subset.ts'

/** Tools as the server takes them: the list itself, where nothing had to change. */
export type AcceptTools = (tools: readonly ToolDefinition[]) => readonly ToolDefinition[]

/** Changes what the server would refuse in tools' schemas, and says so, once for each tool's name and what it lost. */
export function toolsAcceptedBy(dialect: ServerDialect, warn: Warn): AcceptTools {
  if (dialect.toolSchemas === 'any') return (tools) => tools
  const told = new Set<string>()
  return oncePerObject((tools: readonly ToolDefinition[]): readonly ToolDefinition[] => {
    const simplified = tools.map(withinGrammar)
    for (const { tool, dropped } of simplified) {
      const key = `${tool.name} ${dropped.join()}`
      if (dropped.length === 0 || told.has(key)) continue
      told.add(key)
      warn({
        code: 'tool-schema-simplified',
        message: `The parameters of a tool use ${dropped.join(', ')}, for which servers of this kind have no grammar: left out, so that the model may write more than the recorded schema allows.`,
        where: `tool ${tool.name}`,
      })
    }
    return simplified.every(({ dropped }) => dropped.length === 0) ? tools : simplified.map(({ tool }) => tool)
  })
}
