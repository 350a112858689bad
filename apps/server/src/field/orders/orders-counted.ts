import { Counter } from 'prom-client'

/** Actions and settings together. One whose outcome was unknown and is proven later counts in both. */
export const ordersCounted = new Counter({
  name: 'linewarden_orders_total',
  help: 'Orders to equipment, by the states that they came to on this server',
  labelNames: ['state'] as const,
  registers: [],
})
