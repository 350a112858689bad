import { fitPlan, liveness, plantGraph } from '@linewarden/rules/screen'
import { report } from './report.ts'
import { wallView } from './wall-view.ts'

const targets = { 200: 5, 2000: 20 } as const
const targetViewMs = 40
const targetRevokedMs = 1_000
const view = { width: 1_824, height: 816, abnormal: new Set([5, 77]), transformers: new Set([1]) }
const rounds = 60

/** How long the single-line diagram of a plant is laid out, how long it takes to say what of it is energised, in ms of the processor; and how long a wall waits. */
export async function wall(): Promise<void> {
  const layoutMs: Record<string, number> = {}
  const livenessMs: Record<string, number> = {}
  for (const lines of [200, 2_000, 20_000]) {
    const plant = plantOf(lines)
    layoutMs[lines] = median(() => fitPlan(plantGraph(plant, [{ sourceId: 1, lines: [] }]), view))
    const graph = plantGraph(plant, [{ sourceId: 1, lines: [] }])
    const evidence = { sources: new Map([[1, 'on' as const]]), energised: new Set<never>() }
    livenessMs[lines] = median(() => liveness(graph, (id) => (id % 17 === 0 ? 'unknown' : 'closed'), evidence))
  }
  const isLaidOut = Object.entries(targets).every(([lines, most]) => (layoutMs[lines] ?? Number.POSITIVE_INFINITY) <= most)
  const viewMs = await wallView()
  const verdict = isLaidOut && viewMs.p95 <= targetViewMs && viewMs.revokedWorst <= targetRevokedMs
  report('wall', { layoutMs, livenessMs, viewMs, targets: { ...targets, view: targetViewMs, revoked: targetRevokedMs }, verdict })
}

/** Cabinets of twenty lines, each behind an incomer. */
const plantOf = (lines: number) =>
  Array.from({ length: lines }, (_, at) => ({
    lineId: at + 1,
    feederId: at % 20 === 0 ? null : at - (at % 20) + 1,
    hasSwitch: true,
  }))

function median(run: () => unknown): number {
  const taken = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    const start = performance.now()
    run()
    const { user, system } = process.cpuUsage(before)
    return Math.min(performance.now() - start, (user + system) / 1_000)
  }).sort((one, other) => one - other)
  return Math.round((taken[rounds >> 1] ?? 0) * 100) / 100
}
