import { z } from 'zod'

/** The hub's own rule for a part of a name: no separators, nothing that climbs out of a directory. */
const PART = /^(?!.*(?:--|\.\.))[A-Za-z0-9][\w.-]{0,95}$/
const PLACES = /^(?:https?:\/\/[^/]+\/)?datasets\//

/** `owner/name`, also as the hub's address bar shows it: `https://huggingface.co/datasets/owner/name`. */
export const datasetIdSchema = z
  .string()
  .transform((text) => text.replace(PLACES, '').replace(/\/$/, ''))
  .refine((id) => isDatasetId(id), { error: "expected the name of a data set, such as 'Exgentic/agent-llm-traces'" })

/** Old data sets have no owner. */
function isDatasetId(id: string): boolean {
  const parts = id.split('/')
  return parts.length <= 2 && parts.every((part) => PART.test(part) && !part.endsWith('.git'))
}
