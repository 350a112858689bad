import type { PushPlatform } from '@linewarden/contract'
import { addGateway, addPush, lineDetails, listPushes, quarantine } from '@linewarden/contract'
import type { TwoOwners } from './two-owners.ts'
import { newGateway, newProject, startTwoOwners } from './two-owners.ts'

export const pushedProducts = [
  { ProductID: 'pSmoke', Model: 'NT8141' },
  { ProductID: 'pWater', Model: 'WI-4G' },
  { ProductID: 'pGas', Model: 'GAS-1' },
  { ProductID: 'pFire', Model: 'TCQ-LTE' },
]

/** Two owners, of whom the first has a project that platforms push for. */
export class PushHouse {
  readonly all: TwoOwners
  /** The project. */
  HouseID = 0

  private constructor(all: TwoOwners) {
    this.all = all
  }

  static async start(): Promise<PushHouse> {
    return new PushHouse(await startTwoOwners())
  }

  /** From here on it is about another project: subscriptions of one are limited. */
  async anotherProject(): Promise<void> {
    this.HouseID = (await newProject(this.all.anna, '窄带项目')).HouseID
  }

  /** A subscription of its own, with the address and the secret that the platform gets. */
  async subscribed(Platform: PushPlatform, more: { AesKey?: string } = {}) {
    const { all, HouseID } = this
    const made = await all.anna.call(addPush, {
      body: { HouseID, Platform, Name: `${Platform} 推送`, Products: pushedProducts, ...more },
    })
    const base = all.stack.url + made.Push.Path
    const url = Platform === 'ctwing' ? `${base}/${made.Secret}` : base
    return { ...made, base, url }
  }

  async detector(number: string) {
    const gateway = { ...newGateway(number), DeviceType: 'NB', Platform: 'json' } as const
    const { Gateway } = await this.all.anna.call(addGateway, { body: { HouseID: this.HouseID, ...gateway } })
    return { number, imei: gateway.IMEI, DeviceID: Gateway.DeviceID }
  }

  /** Resolves when everything accepted so far is processed. */
  settled(): Promise<void> {
    return this.all.stack.server.push.drained()
  }

  lineOf(number: string) {
    return this.all.anna.call(lineDetails, { params: { ControllerID: number, LineNo: 0 } })
  }

  async recordOf(PushID: number) {
    const { items } = await this.all.anna.call(listPushes, { query: { HouseID: this.HouseID } })
    return items.find((each) => each.PushID === PushID)
  }

  /** What was kept aside of a subscription's messages. */
  async aside(pushId: number) {
    const { items } = await this.all.platform.call(quarantine, { query: { Size: 100 } })
    return items.filter(({ Topic }) => Topic.endsWith(`/${pushId}`))
  }

  close(): Promise<void> {
    return this.all.close()
  }
}
