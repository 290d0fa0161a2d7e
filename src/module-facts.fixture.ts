import { parseSync } from 'vite'

/** What one TypeScript source file refers to outside itself, read from its syntax tree. */
export interface ModuleFacts {
  /** Specifiers of everything imported, re-exported, augmented or named as a type; `null` is one computed at run time. */
  readonly imports: readonly (string | null)[]
  /** Ambient clocks, timers, randomness and the process, wherever they are named as values: `Date.now`, `setTimeout`, … */
  readonly ambient: readonly string[]
}

const AMBIENT_NAMES = new Set([
  'performance',
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
])
const AMBIENT_MEMBERS = new Set(['Date.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'])
/** Wrappers that leave a value a value; every other `TS…` node is a type. */
const VALUE_WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
])

export function readModuleFacts(fileName: string, source: string): ModuleFacts {
  const { program, errors } = parseSync(fileName, source)
  const [error] = errors
  if (error !== undefined) throw new Error(`${fileName}: ${error.message}`)
  const reader = new Reader()
  reader.visit(program, false)
  const ambient = reader.ambient.filter((name) => !reader.declared.has(name))
  return { imports: reader.imports, ambient: [...new Set(ambient)] }
}

type SyntaxNode = { readonly type: string; readonly [field: string]: unknown }

class Reader {
  readonly imports: (string | null)[] = []
  readonly ambient: string[] = []
  /** Names the module binds itself: a parameter called `process` is not the ambient one. */
  readonly declared = new Set<string>()

  visit(value: unknown, inType: boolean): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, inType)
      return
    }
    if (!isNode(value)) return
    this.#readImport(value)
    this.#readBinding(value)
    if (!inType) this.#readAmbient(value)
    const type = inType || (value.type.startsWith('TS') && !VALUE_WRAPPERS.has(value.type))
    for (const [field, child] of Object.entries(value)) {
      if (isName(value, field)) continue
      this.visit(child, type || field === 'typeAnnotation' || field === 'typeArguments' || field === 'typeParameters')
    }
  }

  #readImport(node: SyntaxNode): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ImportExpression':
      case 'TSImportType':
        this.imports.push(textOf(node.source))
        break
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source !== null) this.imports.push(textOf(node.source))
        break
      case 'TSModuleDeclaration':
        if (textOf(node.id) !== null) this.imports.push(textOf(node.id))
        break
    }
  }

  #readBinding(node: SyntaxNode): void {
    if (node.type === 'VariableDeclarator' || node.type.startsWith('Function') || node.type.startsWith('Import')) {
      this.#declare(node.id)
      this.#declare(node.local)
    }
    if (node.type.includes('Function'))
      for (const parameter of (node.params as unknown[] | undefined) ?? []) this.#declare(parameter)
  }

  #declare(pattern: unknown): void {
    if (!isNode(pattern)) return
    if (pattern.type === 'Identifier') this.declared.add(String(pattern.name))
    if (pattern.type === 'AssignmentPattern') this.#declare(pattern.left)
    if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties as SyntaxNode[]) this.#declare(property.value ?? property.argument)
    if (pattern.type === 'ArrayPattern') for (const element of pattern.elements as unknown[]) this.#declare(element)
  }

  #readAmbient(node: SyntaxNode): void {
    switch (node.type) {
      case 'Identifier':
        if (AMBIENT_NAMES.has(String(node.name))) this.ambient.push(String(node.name))
        break
      case 'MemberExpression': {
        const member = `${nameOf(node.object)}.${nameOf(node.property) ?? textOf(node.property)}`
        const name = member.replace(/^globalThis\./, '')
        if (AMBIENT_MEMBERS.has(name) || (name !== member && AMBIENT_NAMES.has(name))) this.ambient.push(name)
        break
      }
      case 'NewExpression':
        if (nameOf(node.callee) === 'Date' && (node.arguments as unknown[]).length === 0) this.ambient.push('new Date()')
        break
      case 'VariableDeclarator':
        if (isNode(node.id) && node.id.type === 'ObjectPattern') {
          for (const property of node.id.properties as SyntaxNode[]) {
            const member = `${nameOf(node.init)}.${nameOf(property.key)}`
            if (AMBIENT_MEMBERS.has(member)) this.ambient.push(member)
          }
        }
        break
    }
  }
}

/** Whether a child is only a name (a key, a property), not a reference. */
function isName(parent: SyntaxNode, field: string): boolean {
  if (parent.computed === true) return false
  if (field === 'key') return true
  if (field === 'property') return parent.type === 'MemberExpression'
  return parent.type.endsWith('Specifier') || (field === 'label' && parent.type.endsWith('Statement'))
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : null
}

/** The text of a string literal, or of a template without substitutions. */
function textOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TSLiteralType') return textOf(node.literal)
  if (node.type === 'TSAsExpression') return textOf(node.expression)
  if (node.type !== 'TemplateLiteral') return null
  const [quasi, ...more] = node.quasis as SyntaxNode[]
  return more.length > 0 ? null : ((quasi?.value as { cooked?: string } | undefined)?.cooked ?? null)
}
