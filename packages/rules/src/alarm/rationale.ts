import type { AlarmRationale } from '@linewarden/equipment/rationalisation'

/** What stands in the rationalisation sheet of one alarm. */
export type RationaleTexts = Omit<AlarmRationale, 'key'>

/** Its parts, in the order in which they are read. */
export const rationaleParts = [
  'cause',
  'consequence',
  'action',
  'time',
  'priority',
  'basis',
] as const satisfies readonly (keyof RationaleTexts)[]

/** Where an answer comes from: written for the project, as the default of its tenant, or built in; or there is none. */
export const rationaleOrigins = ['project', 'default', 'builtIn', 'none'] as const
export type RationaleOrigin = (typeof rationaleOrigins)[number]

/** An answer as somebody wrote it: for a project, or as the default of a tenant (`ownerId` null: the installation's own). */
export interface WrittenRationale {
  readonly projectId: number | null
  readonly ownerId: string | null
  readonly key: string
  readonly texts: RationaleTexts
}

/** The answer of an alarm at a place (`projectId` null: the default alone): the project's, else its tenant's, else the built-in one. */
export function rationaleInForce(
  key: string,
  builtIn: RationaleTexts | null,
  { projectId, ownerId }: { readonly projectId: number | null; readonly ownerId: string | null },
  written: readonly WrittenRationale[],
): { readonly origin: RationaleOrigin; readonly texts: RationaleTexts | null } {
  const own = written.filter((each) => each.key === key)
  const ofProject = own.find((each) => each.projectId !== null && each.projectId === projectId)
  if (ofProject) return { origin: 'project', texts: ofProject.texts }
  const ofOwner = own.find((each) => each.projectId === null && each.ownerId === ownerId)
  if (ofOwner) return { origin: 'default', texts: ofOwner.texts }
  return builtIn ? { origin: 'builtIn', texts: builtIn } : { origin: 'none', texts: null }
}
