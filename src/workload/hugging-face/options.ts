import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { checkOptions, TraceReplayError } from '../../base/index.ts'
import type { Session } from '../../message/index.ts'
import { datasetIdSchema } from './dataset-id.ts'

/** How to reach the hub. */
export interface HubOptions {
  /** An access token of the hub; sent to the hub alone, never shown. @default the environment's HF_TOKEN */
  readonly token?: string
  /** @default the environment's HF_ENDPOINT, else 'https://huggingface.co' */
  readonly hubUrl?: string
}

/** Which part of a data set to replay, and where to get it. */
export interface HuggingFaceOptions extends HubOptions {
  /** A branch, a tag or a commit. A branch moves: the commit it stood for is in the run's record. @default 'main' */
  readonly revision?: string
  /** Only files of this split, such as `'train'`: those with the word in their path. @default all */
  readonly split?: string
  /** Only files that match: paths or globs. @default all parquet files, else all JSON and JSON Lines files */
  readonly files?: string | readonly string[]
  /** At most this many sessions, after `filter`. @default all */
  readonly limit?: number
  /** Only sessions for which this is true. @default all */
  readonly filter?: (session: Session) => boolean
  /**
   * Where downloads are kept, by content: what is there is never fetched again.
   *
   * @default `vitest-trace-replay` below HF_HOME, else below XDG_CACHE_HOME, else below ~/.cache
   */
  readonly cacheDir?: string
  /** Use nothing but the cache. @default true if the environment has HF_HUB_OFFLINE=1 */
  readonly offline?: boolean
}

/** Options with the environment's defaults. */
export interface HubSettings {
  /** Without a slash at its end. */
  readonly hubUrl: string
  readonly token: string | undefined
}

export interface HuggingFaceSettings extends HubSettings {
  readonly dataset: string
  readonly revision: string
  readonly split: string | undefined
  readonly files: readonly string[] | undefined
  readonly limit: number
  readonly filter: ((session: Session) => boolean) | undefined
  readonly cacheDir: string
  readonly offline: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const LONGEST_REVISION = 200

export const hubUrlSchema = z.url({
  protocol: /^https?$/,
  error: "expected an http or https URL, such as 'https://huggingface.co'",
})

export const revisionSchema = z
  .string()
  .max(LONGEST_REVISION)
  .regex(/^[^\s\p{Cc}]+$/u, 'expected a branch, a tag or a commit')

const optionsSchema = z.strictObject({
  revision: revisionSchema.optional(),
  split: z.string().min(1).optional(),
  files: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
  limit: z.int().positive().optional(),
  filter: z.custom<(session: Session) => boolean>((value) => typeof value === 'function', 'expected a function').optional(),
  token: z.string().min(1).optional(),
  hubUrl: hubUrlSchema.optional(),
  cacheDir: z.string().min(1).optional(),
  offline: z.boolean().optional(),
})

/** @throws {TraceReplayError} `INVALID_OPTION` */
export function checkHuggingFace(dataset: string, options: HuggingFaceOptions) {
  return {
    dataset: checkOptions(datasetIdSchema, dataset, 'huggingFace(dataset)'),
    ...checkOptions(optionsSchema, options, 'huggingFace(…, options)'),
  }
}

export function withEnvironment(
  options: ReturnType<typeof checkHuggingFace>,
  cwd: string,
  environment: Environment,
): HuggingFaceSettings {
  const { dataset, revision = 'main', split, files, limit = Number.POSITIVE_INFINITY, filter, cacheDir } = options
  return {
    ...hubSettings(options, environment),
    dataset,
    revision,
    split,
    files: files === undefined ? undefined : [files].flat(),
    limit,
    filter,
    cacheDir: cacheDir === undefined ? defaultCacheDir(environment) : resolve(cwd, cacheDir),
    offline: options.offline ?? isSet(environment.HF_HUB_OFFLINE),
  }
}

/**
 * The token and the hub's address, from the options or else the environment.
 *
 * @throws {TraceReplayError} `INVALID_OPTION`, without the value: it may be a secret
 */
export function hubSettings(
  { token, hubUrl }: { readonly token?: string | undefined; readonly hubUrl?: string | undefined },
  environment: Environment,
): HubSettings {
  const url = hubUrl ?? checkOptions(hubUrlSchema, environment.HF_ENDPOINT || 'https://huggingface.co', 'HF_ENDPOINT')
  if (new URL(url).username !== '') throw invalid('The URL of the hub must not hold a name or password. Use `token` or HF_TOKEN.')
  const chosen = (token ?? environment.HF_TOKEN ?? '').trim()
  // What a header cannot carry would be shown in the error of whoever refuses it.
  if (!/^[\x21-\x7e]*$/.test(chosen)) {
    throw invalid(
      `${token === undefined ? 'HF_TOKEN' : '`token`'} is no access token: it has spaces, line breaks or letters beyond ASCII.`,
    )
  }
  return { hubUrl: url.replace(/\/+$/, ''), token: chosen === '' ? undefined : chosen }
}

function invalid(message: string): TraceReplayError {
  return new TraceReplayError('INVALID_OPTION', message)
}

function defaultCacheDir({ HF_HOME: home, XDG_CACHE_HOME: cache }: Environment): string {
  return join(home || cache || join(homedir(), '.cache'), 'vitest-trace-replay')
}

function isSet(value: string | undefined): boolean {
  return /^(?:1|on|yes|true)$/i.test(value ?? '')
}
