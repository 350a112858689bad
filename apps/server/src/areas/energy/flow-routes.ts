import { getBalance, getFlow } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Balances } from './balance.ts'
import type { Flows } from './flow.ts'

export function flowRoutes(serve: Serve, balances: Balances, flows: Flows): void {
  serve(getBalance, ({ actor, query }) => balances.read(actor, query))
  serve(getFlow, ({ actor, query }) => flows.read(actor, query))
}
