import type { Call } from '@linewarden/contract'
import { addAdministrator, addSharedAccount, addSubAccount, transferProject } from '@linewarden/contract'
import { treeOfAccount, treeOfGateway } from '../areas/audited.ts'
import { storableText } from '../lib/storable-text.ts'
import type { Plant } from '../plant/plant.ts'
import { accountByName } from '../store/account/account.ts'
import type { Database } from '../store/core/database.ts'
import { roleById } from '../store/people/role.ts'
import { userById } from '../store/people/user.ts'
import { changesById } from '../store/settings/setting-change.ts'
import { templateById } from '../store/settings/setting-template.ts'

/** Null: the installation's own; undefined: there is no such thing. */
type Owner = string | null | undefined
type Find = (id: string | number) => Owner | Promise<Owner>

/** Calls that make an account. Theirs is a name that nobody has yet: whoever does have it is somebody else. */
const makingAccounts: readonly Call[] = [addAdministrator, addSubAccount, addSharedAccount]

/** Deep enough for every list that a call takes. */
const deepest = 3

/**
 * Whose the things are that an unchecked request names; undefined when they are nobody's, or not all of one owner. For whoever sees
 * everything: to anybody else the answer would tell what there is.
 */
export function whoseThings({ database, plant }: { database: Database; plant: Plant }) {
  const ofDevice: Find = (id) => {
    const device = plant.deviceByControllerId.get(String(id))
    return device && treeOfGateway(device.gateway)
  }
  const ofGateway = (id: unknown): Owner => {
    const gateway = plant.gateways.get(Number(id))
    return gateway && treeOfGateway(gateway)
  }
  const ofAccount: Find = async (id) => {
    const account = isUuid(id) ? await userById(database, id) : undefined
    return account && treeOfAccount(account)
  }
  const finders = new Map<string, Find>(
    Object.entries<Find>({
      ControllerID: ofDevice,
      ID: ofDevice,
      DeviceID: ofGateway,
      HouseID: (id) => plant.projects.get(Number(id))?.ownerId,
      CityID: (id) => plant.cities.get(Number(id))?.ownerId,
      AccountID: ofAccount,
      OwnerID: ofAccount,
      UserName: async (name) => {
        const account = await accountByName(database.general, storableText(String(name)))
        return account && treeOfAccount(account)
      },
      RoleID: async (id) => (isId(id) ? (await roleById(database, id, undefined))?.ownerId : undefined),
      TemplateID: async (id) => (isId(id) ? (await templateById(database, id, { all: true }))?.owner_id : undefined),
      ChangeID: async (id) => ofGateway((isUuid(id) ? await changesById(database, [id]) : [])[0]?.gatewayId),
    }),
  )

  return async (call: Call, asked: { readonly OwnerID?: unknown }): Promise<Owner> => {
    const { OwnerID } = asked
    // Made for nobody, an account is the installation's own, also with somebody's role.
    if (makingAccounts.includes(call) && (typeof OwnerID !== 'string' || (await ofAccount(OwnerID)) === undefined)) return null
    const owners = new Set<Owner>()
    for (const [name, id] of named(asked, deepest))
      if (name !== 'UserName' || call === transferProject) owners.add(await finders.get(name)?.(id))
    owners.delete(undefined)
    return owners.size === 1 ? [...owners][0] : undefined
  }
}

/** Every value with the name of what it is one of: an element of `HouseIDs` is a `HouseID`. Each once. */
function named(asked: object, depth: number): Iterable<readonly [string, string | number]> {
  const found = new Map<string, readonly [string, string | number]>()
  const look = (value: unknown, name: string, left: number): void => {
    if (typeof value === 'string' || typeof value === 'number') found.set(`${name} ${value}`, [name, value])
    else if (left > 0 && Array.isArray(value)) for (const each of value) look(each, name.replace(/s$/, ''), left - 1)
    else if (left > 0 && typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) look(each, key, left - 1)
  }
  look(asked, '', depth)
  return found.values()
}

const isUuid = (id: string | number): id is string =>
  typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
const isId = (id: string | number): id is number => Number.isInteger(id) && Number(id) > 0 && Number(id) < 2 ** 31
