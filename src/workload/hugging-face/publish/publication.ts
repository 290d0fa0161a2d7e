import { z } from 'zod'
import { type Clock, checkOptions, systemClock, TraceReplayError } from '../../../base/index.ts'
import { datasetIdSchema } from '../dataset-id.ts'
import { HubConnection, type HubTiming } from '../hub-connection.ts'
import { type HubOptions, hubSettings, hubUrlSchema, revisionSchema } from '../options.ts'
import { datasetCard } from './dataset-card.ts'
import { type LocalTraceFile, type PublicationPlan, planPublication, refuseExposure } from './plan-publication.ts'
import { publishDataset } from './publish-dataset.ts'

/** Where traces are to be published. */
export interface PublicationTarget extends HubOptions {
  /** `owner/name` */
  readonly dataset: string
  /** @default 'main' */
  readonly branch?: string
  /** Whether everybody may read them. @default false */
  readonly isPublic?: boolean
  readonly files: readonly LocalTraceFile[]
  readonly signal?: AbortSignal
}

/** What tests hold in their hands. */
export interface PublicationMeans {
  readonly clock?: Clock
  readonly timing?: HubTiming
}

const targetSchema = z.object({
  dataset: datasetIdSchema.refine((id) => id.includes('/'), { error: "expected owner and name, such as 'acme/support-traces'" }),
  branch: revisionSchema.default('main'),
  isPublic: z.boolean().default(false),
  token: z.string().min(1).optional(),
  hubUrl: hubUrlSchema.optional(),
})

/** Traces on their way to the hub: first what would happen, then, if wanted, that it does. */
export class Publication {
  readonly plan: PublicationPlan
  readonly #hub: HubConnection
  readonly #isPublic: boolean
  readonly #signal: AbortSignal | undefined

  private constructor(plan: PublicationPlan, hub: HubConnection, isPublic: boolean, signal: AbortSignal | undefined) {
    this.plan = plan
    this.#hub = hub
    this.#isPublic = isPublic
    this.#signal = signal
  }

  /**
   * Looks what the hub has. Changes nothing.
   *
   * @throws {TraceReplayError} `INVALID_OPTION`, `HUB`, the latter also where private traces would become public
   */
  static async prepare(target: PublicationTarget, { clock = systemClock, timing }: PublicationMeans = {}): Promise<Publication> {
    const { files, signal, ...given } = target
    const { dataset, branch, isPublic, ...hubOptions } = checkOptions(targetSchema, given, 'publish')
    const settings = hubSettings(hubOptions, process.env)
    const hub = new HubConnection({ ...settings, clock, signal, ...(timing === undefined ? {} : { timing }) })
    try {
      const plan = await planPublication(hub, { dataset, branch, files })
      refuseExposure(plan, isPublic)
      return new Publication(plan, hub, isPublic, signal)
    } catch (error) {
      await hub.close()
      throw error
    }
  }

  /** Where a person finds it. */
  get url(): string {
    return `${this.#hub.hubUrl}/datasets/${this.plan.dataset}`
  }

  /**
   * Uploads what is new or changed.
   *
   * @param contents what the card tells, where the data set has none
   * @returns the commit
   * @throws {TraceReplayError} `HUB`
   */
  async run(
    contents: { readonly sessions: number; readonly calls: number },
    onProgress: (doneFiles: number, files: number) => void,
  ): Promise<string> {
    if (!this.#hub.hasToken) {
      throw new TraceReplayError(
        'HUB',
        'Publishing needs an access token that may write: create one at /settings/tokens of the hub and set HF_TOKEN.',
      )
    }
    const card = datasetCard({ dataset: this.plan.dataset, ...contents })
    return publishDataset(this.#hub, this.plan, { isPublic: this.#isPublic, card, signal: this.#signal, onProgress })
  }

  close(): Promise<void> {
    return this.#hub.close()
  }
}
