import type { Link } from '@linewarden/rules/alarm'
import type { Metric } from 'prom-client'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Plant } from '../plant/plant.ts'
import type { Counters } from './intake/counters.ts'

/** Every state is told, also that of no gateway: what is missing in a graph is not told apart from what is not asked. */
const links: readonly Link[] = ['online', 'stale', 'offline', 'never']

interface Sources {
  readonly counters: Counters
  readonly plant: Plant
  /** Whether readings cannot be stored. */
  readonly degraded: () => boolean
  /** Messages that no commit has taken up yet. */
  readonly waiting: () => number
}

/** What comes from the field and what becomes of it, for /metrics. */
export class FieldFigures {
  readonly metrics: readonly Metric[]
  readonly #rows = new Histogram({
    name: 'linewarden_commit_readings',
    help: 'Readings that one commit stored',
    buckets: [0, 1, 10, 100, 500, 1_000, 2_500, 5_000, 10_000],
    registers: [],
  })
  readonly #seconds = new Histogram({
    name: 'linewarden_commit_seconds',
    help: 'How long a commit took, with its repetitions while the database was away',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [],
  })
  readonly #quarantined = new Counter({
    name: 'linewarden_quarantined_total',
    help: 'Messages that could not be taken, by reason',
    labelNames: ['reason'] as const,
    registers: [],
  })

  constructor({ counters, plant, degraded, waiting }: Sources) {
    const counted = (name: string, help: string, count: () => number) =>
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset()
          this.inc(count())
        },
      })
    const gauged = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      })
    this.metrics = [
      this.#rows,
      this.#seconds,
      this.#quarantined,
      counted('linewarden_messages_total', 'Messages that came from gateways and platforms', () => counters.messages),
      counted('linewarden_readings_total', 'Readings that were stored', () => counters.readings),
      counted('linewarden_duplicates_total', 'Messages that had come before', () => counters.duplicates),
      counted('linewarden_rebirths_total', 'Births that gateways were asked for', () => counters.rebirths),
      gauged('linewarden_messages_waiting', 'Messages that no commit has taken up yet', waiting),
      gauged('linewarden_degraded', '1: readings cannot be stored, and nothing is acknowledged', () => Number(degraded())),
      new Gauge({
        name: 'linewarden_gateways',
        help: 'Gateways by how they stand; never: has not reported since it was enrolled',
        labelNames: ['state'] as const,
        registers: [],
        collect() {
          const byLink = Map.groupBy(plant.gateways.values(), ({ link }) => link)
          for (const state of links) this.set({ state }, byLink.get(state)?.length ?? 0)
        },
      }),
    ]
  }

  committed(readings: number, ms: number): void {
    this.#rows.observe(readings)
    this.#seconds.observe(ms / 1_000)
  }

  setAside(reason: string): void {
    this.#quarantined.inc({ reason })
  }
}
