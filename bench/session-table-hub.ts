/** Serves a table of generated agent sessions as a data set, from a process of its own, until it is disconnected. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalHub } from '../src/workload/hugging-face/local-hub/local-hub.fixture.ts'
import { writeSessionTable } from '../src/workload/hugging-face/session-table.fixture.ts'
import { sessionRows } from './session-rows.ts'

const [dataset = '', sessions, callsPerSession, rowsPerGroup] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'session-table-'))
const path = join(directory, 'sessions.parquet')
const rows = sessionRows({ sessions: Number(sessions), callsPerSession: Number(callsPerSession), toolResultBytes: 700 })
writeSessionTable(path, rows, { rowsPerGroup: Number(rowsPerGroup) })
const table = readFileSync(path)
rmSync(directory, { recursive: true })

const hub = await LocalHub.start()
hub.put(dataset, { 'data/train-00000-of-00001.parquet': table })
process.send?.({ url: hub.url, bytes: table.length })
process.once('disconnect', () => void hub.close())
