import { defineConfig } from 'vitest/config'
import { replayProject } from 'vitest-trace-replay/plugin'

export default defineConfig({ test: { projects: [replayProject()] } })
