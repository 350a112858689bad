import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { housesOf } from '../../plant/equipment.ts'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { isolated } from '../../ui/place.tsx'
import { QuietHoursView } from './quiet-hours.tsx'
import { TestsDueList } from './tests-due-list.tsx'
import './safety.css'

const views = ['overdue', 'all', 'quiet'] as const

/** Which leakage protections are overdue for their test, how often are they tested, and when may none run? */
export function SelfTestsPage() {
  const { t } = useTranslation('safety')
  const [query, setQuery] = useSearchParams()
  const [selection] = useSelection()
  const tree = useTree()
  const groups = tree.data?.Groups ?? []
  const houses = housesOf(selection, groups)
  const view = views.find((each) => each === query.get('view')) ?? 'overdue'
  // One project, or all of them: what lies between is the tree's to narrow down.
  const [first] = houses
  const project = houses.length === 1 && first ? first : null
  const houseIds = useMemo(() => houses.map(({ HouseID }) => HouseID), [houses])
  return (
    <Page
      title={t('title')}
      {...(selection.kind !== 'all' && project && { crumb: isolated([project.Name]) })}
      tools={
        <Segments
          label={t('view')}
          value={view}
          options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          onChange={(to) =>
            setQuery((before) => {
              for (const name of ['page', 'name']) before.delete(name)
              if (to === 'overdue') before.delete('view')
              else before.set('view', to)
              return before
            })
          }
        />
      }
    >
      {!tree.data ? (
        <Unloaded query={tree} />
      ) : view !== 'quiet' ? (
        <TestsDueList key={view} project={project} houseIds={houseIds} overdueOnly={view === 'overdue'} />
      ) : project ? (
        <QuietHoursView key={project.HouseID} project={project} />
      ) : (
        <Empty title={t('quietPick')} hint={t('quietPickHint')} />
      )}
    </Page>
  )
}
