/** A mutant that no test can notice, and why. Texts as they stand in the source, with single spaces. */
interface Equivalent {
  readonly file: string
  readonly operator: string
  readonly was: string
  readonly becomes: string
  readonly why: string
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'packages/rules/src/control/quiet-hours.ts',
    operator: 'del-if',
    was: 'if (windows.length === 0) return null',
    becomes: ';',
    why: 'the loop over no windows answers the same',
  },
  {
    file: 'packages/rules/src/control/tags.ts',
    operator: 'rel',
    was: 'a.id < b.id',
    becomes: 'a.id <= b.id',
    why: 'ids are unique',
  },
  {
    file: 'packages/rules/src/settings/template.ts',
    operator: 'cond-then',
    was: "models.length > 0 ? models : ['']",
    becomes: '(models)',
    why: 'every family names its models',
  },
  {
    file: 'apps/server/src/areas/control/watched-tests.ts',
    operator: 'del-if',
    was: 'if (watched.size === 0) return []',
    becomes: ';',
    why: 'it only saves time',
  },
  {
    file: 'packages/rules/src/settings/bypass-kind.ts',
    operator: 'rel',
    was: 'value < end',
    becomes: 'value <= end',
    why: 'a value that is the end itself is answered before',
  },
  {
    file: 'packages/rules/src/settings/bypass-kind.ts',
    operator: 'rel',
    was: 'value > end',
    becomes: 'value >= end',
    why: 'a value that is the end itself is answered before',
  },
  {
    file: 'packages/rules/src/control/evidence.ts',
    operator: 'rel',
    was: 'other.fence > fence',
    becomes: 'other.fence >= fence',
    why: 'no two orders have one fence, and it is a self-test that is held against a trip here',
  },
  {
    file: 'packages/rules/src/control/evidence.ts',
    operator: 'rel',
    was: 'tripFence > fence',
    becomes: 'tripFence >= fence',
    why: 'no two orders have one fence, and it is a self-test that is held against a trip here',
  },
  {
    file: 'apps/server/src/store/ingest/commit.ts',
    operator: 'rel',
    was: 'hour >= current',
    becomes: 'hour > current',
    why: 'an hour that is not remembered is only noted once more',
  },
]
