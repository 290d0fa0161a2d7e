import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a module of this folder as a process of its own.
 *
 * @param execArgv flags of Node; this process's own unless given
 * @returns the first message it sends
 */
export async function toldByProcess<Told>(
  module: string,
  argument?: object,
  execArgv: readonly string[] = process.execArgv,
): Promise<Told> {
  const child = fork(new URL(module, import.meta.url), argument === undefined ? [] : [JSON.stringify(argument)], {
    execArgv: [...execArgv],
  })
  const [told] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${module} ended with exit code ${code}.`)
    }),
  ])
  return told
}
