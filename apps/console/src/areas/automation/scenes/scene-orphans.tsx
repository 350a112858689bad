import { scenesAbout, takeOrphanedScenes } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Orphans } from '../parts/orphans.tsx'

/** People come and go more seldom than positions move. */
const everyMs = 30_000

/** Says that nobody answers for some scenes of this place; an administrator takes over all of them. */
export function SceneOrphans({ reason }: { reason: string | null }) {
  const { t } = useTranslation('scenes')
  const [selection] = useSelection()
  const { data } = useCall(scenesAbout, { body: placeFilter(selection) }, { refetchInterval: everyMs })
  if (!data) return null
  return (
    <Orphans
      kind="scene"
      projects={data.OrphansOf}
      reason={reason}
      words={{
        notice: (count) => t('orphansNotice', { count }),
        title: (count) => t('takeAllTitle', { count }),
        what: t('effects.takeOver'),
        byAdministrator: t('orphansByAdministrator'),
      }}
      take={(body) => change(takeOrphanedScenes, { body })}
    />
  )
}
