import { useState } from 'react'
import { OrphansNotice } from './orphans-notice.tsx'
import type { OrphansOfProject } from './take-orphans-dialog.tsx'
import { TakeOrphansDialog } from './take-orphans-dialog.tsx'

/** What nobody answers for, of the place that is shown, and the way to take over all of it. */
export function Orphans({
  kind,
  projects,
  reason,
  words,
  take,
}: {
  kind: 'scene' | 'linkage'
  projects: readonly OrphansOfProject[]
  /** Why the person changes none of them; null: they may. */
  reason: string | null
  words: {
    readonly notice: (count: number) => string
    readonly title: (count: number) => string
    readonly what: string
    readonly byAdministrator: string
  }
  take: Parameters<typeof TakeOrphansDialog>[0]['take']
}) {
  // Kept while it is open: of those that are taken over there are none left to name, and what became of them is still to be read.
  const [asked, setAsked] = useState<readonly OrphansOfProject[] | null>(null)
  const countOf = (all: readonly OrphansOfProject[]) => all.reduce((sum, { Count }) => sum + Count, 0)
  return (
    <>
      {projects.length > 0 && (
        <OrphansNotice
          text={words.notice(countOf(projects))}
          byAdministrator={words.byAdministrator}
          reason={reason}
          onTake={() => setAsked(projects)}
        />
      )}
      {asked && (
        <TakeOrphansDialog
          kind={kind}
          projects={asked}
          title={words.title(countOf(asked))}
          what={words.what}
          take={take}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
