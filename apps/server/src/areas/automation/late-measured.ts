import { Gauge } from 'prom-client'

/** For the machine's own monitoring: 0 while everything is claimed in time. */
export const lateMeasured = (lateMs: () => number): Gauge =>
  new Gauge({
    name: 'linewarden_timers_late_ms',
    help: 'How long what a timer is due for waits unclaimed, from 10 s on; 0: nothing is late',
    registers: [],
    collect() {
      this.set(lateMs())
    },
  })
