/** A project or a gateway that an account is given, or is to be given. Null: it is not there. */
export type Given = {
  /** Whoever acts sees it. */
  readonly seen: boolean
  /** Whose it is; null: the installation's own. */
  readonly ownerId: string | null
} | null

/** Why an account cannot be given what it is to see. */
export type AssignFault = 'nothing' | 'no_project' | 'no_gateway' | 'other_owner'

/**
 * What stands against giving an account these projects and gateways: at least one thing, each there, seen by whoever gives it, and owned by
 * whom the account stands under. The first fault in the order they were named; null: it may be given them.
 */
export function assignFault(
  { projects, gateways }: { readonly projects: readonly Given[]; readonly gateways: readonly Given[] },
  ownerId: string | null,
): AssignFault | null {
  if (projects.length + gateways.length === 0) return 'nothing'
  return projects.reduce(first('no_project', ownerId), null) ?? gateways.reduce(first('no_gateway', ownerId), null)
}

const first =
  (absent: AssignFault, ownerId: string | null) =>
  (found: AssignFault | null, given: Given): AssignFault | null =>
    found ?? (given?.seen ? (given.ownerId === ownerId ? null : 'other_owner') : absent)

/**
 * Whether all that an account was given, as far as it is still there, is seen by whoever acts. What was given nothing lies within nobody's
 * scope: only the administrator knows what it is for.
 */
export const liesWithin = (seen: readonly boolean[]): boolean => seen.length > 0 && seen.every((each) => each)
