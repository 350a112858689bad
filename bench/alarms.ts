import { analysis } from './alarm-analysis.ts'
import { evidence } from './alarm-evidence.ts'
import { alarmLists } from './alarm-lists.ts'
import { storm } from './alarm-storm.ts'
import { foldingUsPerEvent } from './folding.ts'
import { report } from './report.ts'

type Options = Readonly<Record<string, number>>
interface Part {
  readonly figures: Readonly<Record<string, unknown>>
  readonly verdict: boolean
}

const parts: Readonly<Record<string, (options: Options) => Part | Promise<Part>>> = {
  folding: ({ rounds = 5 }) => {
    const foldingUs = foldingUsPerEvent(rounds)
    return { figures: { foldingUs, targets: { foldingUs: 20 } }, verdict: foldingUs <= 20 }
  },
  storm: ({ gateways = 50, devices = 199, seconds = 60 }) => storm({ gateways, devices, seconds }),
  evidence: ({ trips = 20 }) => evidence(trips),
  analysis: ({ events = 1_000_000, rounds = 5 }) => analysis(events, rounds),
  lists: ({ open = 100_000, past = 5_000_000, rounds = 5 }) => alarmLists({ open, past }, rounds),
}

/**
 * What people have of alarms: the storm of dead gateways, evidence, the list over millions of events, and what folding takes for an event.
 * `--part storm|evidence|lists|folding|analysis`: one of them; `--open`, `--past`, `--events`, `--gateways`, `--devices`, `--seconds`, `--trips`: less of it, to
 * try something out.
 */
export async function alarms(options: Options, part: string): Promise<void> {
  const figures: Record<string, unknown> = {}
  let verdict = true
  for (const [name, measure] of Object.entries(parts)) {
    if (part in parts && part !== name) continue
    const measured = await measure(options)
    figures[name] = { ...measured.figures, ok: measured.verdict }
    process.stderr.write(`${name}: ${JSON.stringify(figures[name])}\n`)
    verdict &&= measured.verdict
  }
  report('alarms', { ...figures, verdict })
}
