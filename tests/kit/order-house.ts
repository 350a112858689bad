import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import type { EventRecord, Reply, Request, WorkOrder } from '@linewarden/contract'
import { dispatchWorkOrders, getWorkOrder, insertWorkOrder, listOrderNotices } from '@linewarden/contract'
import { smallPlan } from './small-plan.ts'
import type { Stack, StackOptions } from './stack.ts'
import { calm, signedIn, startStack } from './stack.ts'

export interface OrderPerson {
  readonly client: Client
  readonly id: string
  readonly userName: string
}

type Form = Request<typeof insertWorkOrder>['body']

let number = 13_700_000_000

/** A house whose clock a test moves on, with people who write, carry out and accept work orders. */
export class OrderHouse {
  readonly stack: Stack
  #ahead: { ms: number }
  private constructor(stack: Stack, ahead: { ms: number }) {
    this.stack = stack
    this.#ahead = ahead
  }

  static async start({ fleet, ...options }: Pick<StackOptions, 'expects' | 'fleet'> = {}): Promise<OrderHouse> {
    const ahead = { ms: 0 }
    const now = () => Date.now() + ahead.ms
    const stack = await startStack({ ...options, plan: smallPlan, clock: now, fleet: { ...fleet, now } })
    calm(stack)
    return new OrderHouse(stack, ahead)
  }

  get now(): number {
    return Date.now() + this.#ahead.ms
  }

  houseOf(letter: 'A' | 'B' = 'A'): number {
    return [...this.stack.server.plant.projects.values()].find(({ name }) => name === `项目${letter}`)?.id ?? 0
  }

  gatewayOf(letter: 'A' | 'B' = 'A'): number {
    return this.stack.server.plant.gatewayByNumber.get(`GW-${letter}`)?.id ?? 0
  }

  /** Time goes on, and the server looks after what happens by itself. */
  async later(ms: number): Promise<void> {
    this.#ahead.ms += ms
    await this.stack.server.workOrders.look()
  }

  /** The same of hazards. */
  async hazardsLater(ms = 0): Promise<void> {
    this.#ahead.ms += ms
    await this.stack.server.hazards.look()
  }

  /** The same of rules that make orders. */
  async byRules(ms = 0): Promise<void> {
    this.#ahead.ms += ms
    await this.stack.server.workOrders.lookByRules()
  }

  /** It is so late in the projects’ own day, today or tomorrow; whatever is due by then was sent. */
  async untilHour(hour: number): Promise<void> {
    const [hourMs, dayMs, aheadOfUtcMs] = [3_600_000, 86_400_000, 8 * 3_600_000]
    const ofDay = (this.now + aheadOfUtcMs) % dayMs
    await this.notified((((hour * hourMs - ofDay) % dayMs) + dayMs) % dayMs)
  }

  /** Time goes on, and every notice that is due is sent. */
  async notified(ms = 0): Promise<void> {
    this.#ahead.ms += ms
    await this.stack.server.workOrders.sendNotices()
  }

  /** What somebody was notified of about orders that they have not opened since. */
  async noticesOf({ client }: OrderPerson): Promise<readonly EventRecord[]> {
    return (await client.call(listOrderNotices, { query: {} })).items
  }

  /** A sub-account that sees project A, or what is given. */
  async person(
    nickName: string,
    {
      kind = 'sub',
      privileges = ['hazard', 'hazard.workorder', 'hazard.alarmList', 'devmon', 'devmon.realtime'],
      projects = [this.houseOf()],
    }: { kind?: 'sub' | 'shared'; privileges?: readonly string[]; projects?: readonly number[] } = {},
  ): Promise<OrderPerson> {
    const { accounts, database } = this.stack.server
    const userName = String(number++)
    const roleId = await accounts.createRole({ number: userName, name: userName, privileges: [...privileges], buttons: [] })
    const who = { userName, password: 'Duty-7391' }
    await accounts.createAccount({ ...who, kind, roleId, projectIds: [...projects] })
    const row = await database.general
      .updateTable('account')
      .set({ nick_name: nickName })
      .where('user_name', '=', userName)
      .returning('account_id')
      .executeTakeFirstOrThrow()
    return { client: await this.#lasting(who), id: row.account_id, userName }
  }

  /** Whoever runs the installation. */
  async administrator(): Promise<OrderPerson> {
    const { admin } = this.stack
    return { client: await this.#lasting(admin), id: '', userName: admin.userName }
  }

  /** No session lasts as long as these tests move the clock on: it is begun anew. */
  async #lasting(who: { readonly userName: string; readonly password: string }): Promise<Client> {
    const begin = () => signedIn(this.stack.url, who, () => this.now)
    let client = await begin()
    return {
      baseUrl: client.baseUrl,
      async call(...request) {
        try {
          return await client.call(...request)
        } catch (error) {
          if (!(error instanceof CallError && error.endsSession)) throw error
          client = await begin()
          return client.call(...request)
        }
      },
    }
  }

  /** The hazard of an order as if its proof had come meanwhile. */
  async hazardGone({ OrderID }: Pick<WorkOrder, 'OrderID'>): Promise<void> {
    const { general } = this.stack.server.database
    const ofOrder = general.selectFrom('work_order').select('hazard_id').where('order_id', '=', OrderID)
    await general.updateTable('hazard').set({ state: 'gone' }).where('hazard_id', '=', ofOrder).execute()
  }

  /** Whose account is disabled does not see the place any more. */
  async disabled({ id }: OrderPerson): Promise<void> {
    await this.stack.server.database.general.updateTable('account').set({ disabled: true }).where('account_id', '=', id).execute()
  }

  /** A line of A-T1 reports each minute from an instant on, for so long. */
  async reports(lineNo: number, from: number, forMs: number, quality = 0): Promise<void> {
    const line = this.stack.server.plant.lineAt('A-T1', lineNo)
    const client = await this.stack.server.database.connect()
    // The server makes the partition of a day once its clock comes near it: not in the middle of this.
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtext('reading partitions'))")
    await client.query(
      `insert into reading (line_id, at, received_at, quality)
       select $1, at, at, $4 from generate_series($2::timestamptz, $3::timestamptz, interval '1 minute') as at on conflict do nothing`,
      [line?.id, new Date(from), new Date(from + forMs), quality],
    )
    await client.query('commit')
    await client.end()
  }

  form(person: OrderPerson, more: Partial<Form> = {}): Form {
    return {
      ...{ HouseID: this.houseOf(), ActID: crypto.randomUUID(), Type: 'repair', Title: '', Description: '漏电缓升，查明原因' },
      ...{ Priority: 'medium', PersonInCharge: person.id, ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false },
      ...more,
    }
  }

  async made(founder: OrderPerson, person: OrderPerson, more: Partial<Form> = {}): Promise<WorkOrder> {
    return (await founder.client.call(insertWorkOrder, { body: this.form(person, { Dispatch: true, ...more }) })).Order
  }

  get({ client }: OrderPerson, { OrderID }: Pick<WorkOrder, 'OrderID'>): Promise<Reply<typeof getWorkOrder>> {
    return client.call(getWorkOrder, { params: { OrderID } })
  }

  async dispatched(founder: OrderPerson, order: WorkOrder, person: OrderPerson, Reason?: string): Promise<WorkOrder> {
    const { OrderID, Version } = order
    const body = {
      ActID: crypto.randomUUID(),
      Orders: [{ OrderID, Version }],
      PersonInCharge: person.id,
      ...(Reason && { Reason }),
    }
    const { items } = await founder.client.call(dispatchWorkOrders, { body })
    const [outcome] = items
    if (!outcome?.Order) throw new Error('nothing became of the order')
    return outcome.Order
  }
}

/** What an act on this order carries, once. */
export const act = ({ OrderID, Version }: Pick<WorkOrder, 'OrderID' | 'Version'>) => ({
  OrderID,
  Version,
  ActID: crypto.randomUUID(),
})
export const several = ({ OrderID, Version }: Pick<WorkOrder, 'OrderID' | 'Version'>) => ({
  ActID: crypto.randomUUID(),
  Orders: [{ OrderID, Version }],
})
