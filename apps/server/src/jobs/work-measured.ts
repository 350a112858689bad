import { Gauge } from 'prom-client'
import type { Database } from '../store/core/database.ts'
import { unlessAway } from '../store/core/database-away.ts'
import { worksUnderWay } from '../store/jobs/due-work.ts'

/** What the runner of due and long work has before it. While the database is away nobody knows, and nothing is told. */
export const workMeasured = (database: Database): Gauge =>
  new Gauge({
    name: 'linewarden_due_work',
    help: 'Due and long work that has not ended, by whether a server has its lease; free: none does, or its lease is over',
    labelNames: ['state'] as const,
    registers: [],
    async collect() {
      this.reset()
      const works = await unlessAway(worksUnderWay(database.general))
      if (works === null) return
      this.set({ state: 'leased' }, works.leased)
      this.set({ state: 'free' }, works.free)
    },
  })
