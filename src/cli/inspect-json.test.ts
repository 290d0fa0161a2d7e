import { expect, test } from 'vitest'
import { renderInspectJson } from './inspect-json.ts'
import { strangeGraph, supportGraph } from './inspected-graph.fixture.ts'

test('gives every fact of the graph under the names scripts rely on', () => {
  const report = JSON.parse(renderInspectJson([supportGraph()], [{ code: 'x', message: 'y' }]))
  expect(report).toMatchInlineSnapshot(`
    {
      "sessions": [
        {
          "attributes": {
            "tenant": "north",
          },
          "calls": [
            {
              "after": [],
              "edges": [],
              "endMs": 1200,
              "id": "lead1",
              "messages": 2,
              "model": "test-model",
              "roles": [
                "system",
                "user",
              ],
              "splices": [],
              "startMs": 0,
              "toolCalls": [
                "ask_courier",
                "ask_courier",
              ],
              "tools": 2,
              "usage": {
                "cachedInputTokens": 12000,
                "inputTokens": 12345,
                "outputTokens": 42,
              },
              "waitMs": 0,
            },
            {
              "after": [
                "lead1",
              ],
              "edges": [
                {
                  "evidence": "it had ended before, and no message points to an earlier call",
                  "from": "lead1",
                  "kind": "temporal",
                },
              ],
              "endMs": 5000,
              "id": "title",
              "messages": 1,
              "model": "test-model",
              "roles": [
                "user",
              ],
              "splices": [],
              "startMs": 1250,
              "toolCalls": [],
              "tools": 0,
              "usage": null,
              "waitMs": 50,
            },
            {
              "after": [
                "lead1",
              ],
              "edges": [
                {
                  "evidence": "this call ran between it and lead2",
                  "from": "lead1",
                  "kind": "temporal",
                },
              ],
              "endMs": 1900,
              "id": "try",
              "messages": 1,
              "model": "test-model",
              "roles": [
                "user",
              ],
              "splices": [],
              "startMs": 1300,
              "toolCalls": [],
              "tools": 0,
              "usage": null,
              "waitMs": 100,
            },
            {
              "after": [
                "try",
              ],
              "edges": [
                {
                  "evidence": "it failed with the same messages before this call was made",
                  "from": "try",
                  "kind": "temporal",
                },
              ],
              "endMs": 4400.5,
              "id": "again",
              "messages": 1,
              "model": "test-model",
              "roles": [
                "user",
              ],
              "splices": [],
              "startMs": 2400,
              "toolCalls": [],
              "tools": 0,
              "usage": null,
              "waitMs": 500,
            },
            {
              "after": [
                "again",
              ],
              "edges": [
                {
                  "evidence": "messages[3] contains its final text (107 characters)",
                  "from": "again",
                  "kind": "hand-off",
                },
              ],
              "endMs": 62000,
              "id": "lead2",
              "messages": 5,
              "model": "test-model",
              "roles": [
                "system",
                "user",
                "assistant",
                "tool",
                "tool",
              ],
              "splices": [
                {
                  "from": "lead1",
                  "kind": "message",
                  "message": 2,
                },
                {
                  "end": 118,
                  "escaped": true,
                  "from": "again",
                  "kind": "text",
                  "message": 3,
                  "part": 0,
                  "start": 11,
                },
              ],
              "startMs": 4500,
              "toolCalls": [],
              "tools": 0,
              "usage": null,
              "waitMs": 99.5,
            },
          ],
          "id": "chat-7",
          "source": "session.json",
        },
      ],
      "warnings": [
        {
          "code": "x",
          "message": "y",
        },
      ],
    }
  `)
})

test('is JSON whatever the trace holds, a session a line', () => {
  const text = renderInspectJson([strangeGraph(), strangeGraph()], [])
  expect(JSON.parse(text).sessions.map(({ id }: { id: string }) => id)).toEqual(Array(2).fill('weird "id"\n\u001b[2J'))
  expect(text.split('\n')).toHaveLength(5)
  expect(JSON.parse(renderInspectJson([], []))).toEqual({ sessions: [], warnings: [] })
})
