import { defineConfig } from 'vitest/config'
import { replayProject } from 'vitest-trace-replay/plugin'

export default defineConfig({
  test: {
    projects: [
      // Without a target the embedded simulator answers. For a server of your own:
      // replayProject({ target: { kind: 'vllm', url: 'http://127.0.0.1:8000', model: 'Qwen/Qwen2.5-7B-Instruct' } })
      replayProject(),
    ],
  },
})
