import type { AuditAction, Refusal } from '@linewarden/contract'
import type { Actor } from '../access/actor.ts'
import type { PlantGateway, PlantLine } from '../plant/plant.ts'
import type { StoredAccount } from '../store/account/account.ts'

/**
 * Who does what now, as the audit log wants it. `tenant`: in whose log it stands, which is that of whoever owns what it is done to, so that
 * owners read what others did to their plant; that of the actor where nobody owns it.
 */
export const by = (
  { userName, address }: Pick<Actor, 'userName' | 'address'>,
  at: number,
  action: AuditAction,
  tenant: string | null,
) => ({ at, actor: userName, address, tenant, action, outcome: 'done' }) as const

export const tenantOfGateway = ({ project }: Pick<PlantGateway, 'project'>): string | null => project.ownerId
export const tenantOfLine = ({ device }: Pick<PlantLine, 'device'>): string | null => tenantOfGateway(device.gateway)

/** An account stands in the log of the administrator whose it is; an administrator in their own. */
export const tenantOfAccount = ({
  accountId,
  kind,
  ownerId,
}: Pick<StoredAccount, 'accountId' | 'kind' | 'ownerId'>): string | null => (kind === 'project' ? accountId : ownerId)

const written = new WeakSet<Refusal>()

/** This refusal stands in the log with all that is known where it was made; on its way out nobody writes it again. */
export const refusalWritten = (refusal: Refusal): void => void written.add(refusal)

export const isWritten = (refusal: Refusal): boolean => written.has(refusal)
