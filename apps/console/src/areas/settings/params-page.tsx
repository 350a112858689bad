import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useSession } from '../../app/session.ts'
import { Unloaded } from '../../app/unloaded.tsx'
import { said } from '../../texts/i18n.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { isolated } from '../../ui/place.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { housesOf, isSelected } from '../monitor/equipment.ts'
import { usePlacedLines, useProjects, useTree } from '../monitor/queries.ts'
import { useSelection } from '../monitor/selection.ts'
import { CompareView } from './compare-view.tsx'
import { CopyView } from './copy-view.tsx'
import { useDrafts } from './drafts.ts'
import { HistoryView } from './history-view.tsx'
import { LineView } from './line-view.tsx'
import { useLineSettings } from './queries.ts'
import { TemplatesView } from './templates-view.tsx'
import './params.css'

const views = ['line', 'copy', 'templates', 'compare', 'history'] as const
type View = (typeof views)[number]

/** How is it set? One line's settings, desired against reported; copied, kept as templates, compared, and taken back. */
export function ParamsPage() {
  const { t } = useTranslation('settings')
  const [query, setQuery] = useSearchParams()
  const [selection] = useSelection()
  const tree = useTree()
  const groups = tree.data?.Groups ?? []
  const houses = housesOf(selection, groups)
  // Everything, or a group: the first project stands for it until somebody chooses.
  const house = houses.find(({ Counts }) => Counts.Lines > 0)?.HouseID
  const houseIds = useMemo(() => (house === undefined ? [] : [house]), [house])
  const { projects, lacking } = useProjects(houseIds)
  const all = usePlacedLines(projects)
  const placed = settable(all.filter((each) => isSelected(each, selection))) ?? null
  const view = views.find((each) => each === query.get('view')) ?? 'line'
  const go = (to: View, more: Readonly<Record<string, string>> = {}) =>
    setQuery((before) => {
      for (const name of ['view', 'page', 'template', 'with', 'scope', 'Off']) before.delete(name)
      if (to !== 'line') before.set('view', to)
      for (const [name, value] of Object.entries(more)) before.set(name, value)
      return before
    })
  return (
    <Page
      title={t('title')}
      {...(placed && { crumb: crumbOf(placed) })}
      tools={
        <Segments
          label={t('view')}
          value={view}
          options={views.map((each) => ({ value: each, label: t(`views.${each}`) }))}
          onChange={(to) => go(to)}
        />
      }
    >
      {!tree.data || lacking ? (
        <Unloaded query={lacking ?? tree} />
      ) : placed ? (
        <OfLine placed={placed} all={all} view={view} go={go} />
      ) : (
        <Empty title={t('noLine')} hint={t('noLineHint')} />
      )}
    </Page>
  )
}

function OfLine({
  placed,
  all,
  view,
  go,
}: {
  placed: PlacedLine
  all: readonly PlacedLine[]
  view: View
  go: (to: View, more?: Readonly<Record<string, string>>) => void
}) {
  const { t } = useTranslation('settings')
  const user = useSession((session) => session.user)
  const settings = useLineSettings(useMemo(() => [placed], [placed]))
  const drafts = useDrafts(placed.line.LineID)
  const line = settings.data?.[0]
  const { family } = placed
  if (!line) return <Unloaded query={settings} />
  if (!family || family.settings.length === 0) return <Empty title={t('noSettings')} hint={t('noLineHint')} />
  const shared = user?.Shared === true ? t('sharedCannot') : null
  const fill = (values: Readonly<Record<string, number>>) => {
    drafts.fill(values)
    go('line')
  }
  const mayNot = shared ?? (line.Unreachable && said(line.Unreachable))
  const inView: Readonly<Record<View, ReactNode>> = {
    line: <LineView placed={placed} family={family} line={line} drafts={drafts} mayNot={mayNot} />,
    copy: <CopyView placed={placed} family={family} line={line} all={all} mayNot={shared} />,
    templates: (
      <TemplatesView
        family={family}
        line={line}
        mayNot={shared}
        onFill={fill}
        onApply={(id) => go('copy', { template: String(id) })}
        onCompare={(id) => go('compare', { with: `template:${id}` })}
      />
    ),
    compare: <CompareView family={family} line={line} all={all} onFill={fill} />,
    history: <HistoryView placed={placed} mayNot={shared} />,
  }
  return (
    <>
      <Unloaded query={settings} />
      {inView[view]}
    </>
  )
}

/** The first switched line that has something to set, else the first detector that has, else the first. */
const settable = (lines: readonly PlacedLine[]): PlacedLine | undefined =>
  lines.find(({ family }) => family?.level === 'line' && family.settings.length > 0) ??
  lines.find(({ family }) => (family?.settings.length ?? 0) > 0) ??
  lines[0]

function crumbOf({ line, gateway, device }: PlacedLine): string {
  const rated = line.RatedCurrentA === null ? '' : ` ${line.RatedCurrentA} A`
  return isolated([line.LineName, gateway.GatewayName, `${device.Model}${rated}`], ' · ')
}
