import type { CommandRecord, DeviceDetails, deviceToken, Reply } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { CommandAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import type { Plant, PlantDevice } from '../../plant/plant.ts'
import { aboutDevice } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/equipment/device-token.ts'
import type { Accounts } from '../account/service.ts'
import type { Equipment } from './service.ts'

export type Tokens = ReturnType<typeof createTokens>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly equipment: Equipment
  readonly accounts: Pick<Accounts, 'actorOf'>
  readonly clock: () => number
}

const spec = 'GET {token}'

/** Detectors that people reach by a token of their own. */
export function createTokens({ database, plant, equipment, accounts, clock }: Deps) {
  return {
    async present(device: PlantDevice): Promise<Reply<typeof deviceToken>> {
      const token = await stored.tokenOf(database, device.id)
      return { Token: token && { MadeBy: token.madeBy, MadeAt: token.madeAt } }
    },

    async issue(actor: Actor, device: PlantDevice): Promise<{ Token: string }> {
      if (!device.family.calls.includes(spec)) throw new Refusal('token not possible')
      const audit = { ...by(actor, clock(), 'token.issue', tenantOfGateway(device.gateway)), subject: aboutDevice(device) }
      return { Token: await stored.issueToken(database, device.id, actor.accountId, audit) }
    },

    async revoke(actor: Actor, device: PlantDevice): Promise<null> {
      const audit = { ...by(actor, clock(), 'token.revoke', tenantOfGateway(device.gateway)), subject: aboutDevice(device) }
      await stored.revokeToken(database, device.id, audit)
      return null
    },

    async details(token: string, address: string): Promise<DeviceDetails> {
      return equipment.details((await opened(token, address, 'devmon.realtime')).device)
    },

    async silence(token: string, address: string, order: { CommandID: string; Reason: string }): Promise<CommandRecord> {
      const { device, actor } = await opened(token, address, 'lineSwitch')
      const action: CommandAction = 'silence'
      return equipment.operate(actor, device, { ...order, ControllerID: device.controllerId }, { action })
    },
  }

  /**
   * A token does what whoever made it may do now, on this one device. Any other token, and one whose maker has lost the device or the
   * permission, is an address at which there is nothing.
   */
  async function opened(token: string, address: string, permission: string): Promise<{ device: PlantDevice; actor: Actor }> {
    const found = await stored.deviceOfToken(database, token)
    const device = found && plant.deviceByControllerId.get(found.controllerId)
    const maker = found && (await accounts.actorOf(found.madeBy, '', address))
    if (!device || !maker?.seesGateway(device.gateway) || !permits(permission, maker)) throw new Refusal('page not found')
    // The log must not read as if its maker had come by; and who holds a token knows no control password.
    return { device, actor: { ...maker, userName: `token:${maker.userName}`, hasControlPassword: false } }
  }
}
