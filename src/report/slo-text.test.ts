import { expect, test } from 'vitest'
import { verdict } from './example-run.fixture.ts'
import { holds, marginText, observedText, sloText } from './slo-text.ts'

test.each([
  [verdict({ observed: 52_300, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '52.3s', '16% over'],
  [verdict({ observed: 45_000, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '45s', 'just met'],
  [verdict({ observed: 39_600, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '39.6s', '12% to spare'],
  [verdict({ observed: 45_010, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '45010ms', '<1% over'],
  [verdict({ observed: null, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '∞', 'infinitely slow'],
  [verdict({ observed: Number.POSITIVE_INFINITY, limit: 45_000 }), 'workflow latency p95 ≤ 45s', '∞', 'infinitely slow'],
  [verdict({ observed: 3, limit: 0 }), 'workflow latency p95 ≤ 0ms', '3ms', '3ms over'],
  [verdict({ observed: 0, limit: 45_000, samples: 0 }), 'workflow latency p95 ≤ 45s', '–', 'nothing measured'],
  [
    verdict({ label: 'session success rate', observed: 0.97, limit: 0.99, unit: 'rate', direction: 'floor' }),
    'session success rate ≥ 99%',
    '97%',
    '2 points short',
  ],
  [
    verdict({ label: 'session success rate', observed: 1, limit: 0.99, unit: 'rate', direction: 'floor' }),
    'session success rate ≥ 99%',
    '100%',
    '1 point to spare',
  ],
  [
    verdict({ label: 'output tokens', observed: 450, limit: 900, unit: '/s', direction: 'floor' }),
    'output tokens ≥ 900/s',
    '450/s',
    '50% short',
  ],
])('an SLO, what was observed, and the margin between them: %#', (given, slo, observed, margin) => {
  expect([sloText({ verdict: given }), observedText(given), marginText(given)]).toEqual([slo, observed, margin])
})

test('asked with .not an SLO holds when it does not', () => {
  const asked = { verdict: verdict({ pass: false }), inverted: true }
  expect([sloText(asked), holds(asked)]).toEqual(['not workflow latency p95 ≤ 45s', true])
})
