import { expect, test } from 'vitest'
import { renderInspectMermaid } from './inspect-mermaid.ts'
import { strangeGraph, supportGraph } from './inspected-graph.fixture.ts'

test('draws a subgraph for each session, solid arrows for content and dotted ones for time', () => {
  expect(renderInspectMermaid([supportGraph(), supportGraph()])).toMatchInlineSnapshot(`
    "flowchart TD
      subgraph s1["chat-7"]
        s1c1["#35;1 lead1<br/>chat lead1<br/>takes 1.2s"]
        s1c2["#35;2 title<br/>chat title<br/>waits 50ms, takes 3.75s"]
        s1c3["#35;3 try<br/>chat try<br/>waits 100ms, takes 600ms"]
        s1c4["#35;4 again<br/>chat again<br/>waits 500ms, takes 2s"]
        s1c5["#35;5 lead2<br/>chat lead2<br/>waits 99.5ms, takes 57.5s"]
        s1c1 -.->|"temporal"| s1c2
        s1c1 -.->|"temporal"| s1c3
        s1c3 -.->|"temporal"| s1c4
        s1c4 -->|"hand-off"| s1c5
      end
      subgraph s2["chat-7"]
        s2c1["#35;1 lead1<br/>chat lead1<br/>takes 1.2s"]
        s2c2["#35;2 title<br/>chat title<br/>waits 50ms, takes 3.75s"]
        s2c3["#35;3 try<br/>chat try<br/>waits 100ms, takes 600ms"]
        s2c4["#35;4 again<br/>chat again<br/>waits 500ms, takes 2s"]
        s2c5["#35;5 lead2<br/>chat lead2<br/>waits 99.5ms, takes 57.5s"]
        s2c1 -.->|"temporal"| s2c2
        s2c1 -.->|"temporal"| s2c3
        s2c3 -.->|"temporal"| s2c4
        s2c4 -->|"hand-off"| s2c5
      end
    "
  `)
})

test('names from a trace cannot leave their labels', () => {
  expect(renderInspectMermaid([strangeGraph()])).toMatchInlineSnapshot(`
    "flowchart TD
      subgraph s1["weird #34;id#34; [2J"]
        s1c1["#35;1 a#34;];b[<br/>chat a#34;];b[<br/>takes 1ms"]
        s1c2["#35;2 #96;end#96; [31m#35;1 #60;b#62;#38;<br/>chat #96;end#96; [31m#35;1 #60;b#62;#38;<br/>waits 1ms, takes 1ms"]
        s1c3["#35;3 plain<br/>chat plain<br/>waits 1ms, takes 1ms"]
        s1c1 -.->|"temporal"| s1c2
        s1c2 -.->|"temporal"| s1c3
      end
    "
  `)
})
