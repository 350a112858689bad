import { sceneLog } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { useRows } from '../../../app/net/use-rows.ts'
import { useSelection } from '../../../plant/selection.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useListState } from '../../../ui/list-state.ts'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { useByNow } from '../../../ui/use-now.ts'
import { automation } from '../parts/texts.ts'
import { runWhy } from '../parts/why-texts.ts'
import { filterNames, runFilter } from './filters.ts'
import { RunLogPage } from './run-log-page.tsx'
import { runLog } from './texts.ts'

addTexts({ automation, runLog, runWhy })

const everyMs = 10_000

/** Who ran which scene, and what became of each line? */
export function SceneLogPage() {
  const { t } = useTranslation('runLog')
  const [selection] = useSelection()
  const list = useListState(filterNames)
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const asked = runFilter(list, selection, useDelayed(list.filter('q'), 300), minute * 60_000)
  const body = {
    ...{ ...asked.place, From: asked.from, AmissFirst: asked.amissFirst },
    ...(asked.sourceId !== null && { SceneID: asked.sourceId }),
    ...(asked.states && { States: asked.states }),
    ...(asked.text !== '' && { Name: asked.text }),
  }
  const rows = useRows(sceneLog, { body: { ...body, Page: list.page, Size: list.size } }, { everyMs })
  return (
    <RunLogPage
      title={t('sceneTitle')}
      isOfTimers={false}
      list={list}
      days={asked.days}
      amissFirst={asked.amissFirst}
      rows={rows}
      fetchPage={(Page, Size) => api.call(sceneLog, { body: { ...body, Page, Size } })}
      filters={
        asked.sourceId !== null && (
          <button type="button" className="chip" aria-pressed="true" onClick={() => list.setFilter('of', '')}>
            <bdi>{rows.data?.items[0]?.Name ?? t('oneScene')}</bdi>
            <Icon name="close" />
          </button>
        )
      }
    />
  )
}
