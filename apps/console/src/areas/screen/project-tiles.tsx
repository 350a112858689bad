import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { plantDiagram } from '../../paths.ts'
import { figure } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import type { ProjectState } from './overview-state.ts'

/** Each project with how it stands, the worst first. */
export function ProjectTiles({ states, more }: { states: readonly ProjectState[]; more: number }) {
  const { t } = useTranslation('screen')
  return (
    <section className="project-tiles" aria-label={t('projects')}>
      {states.map((present) => (
        <ProjectTile key={present.project.HouseID} present={present} />
      ))}
      {more > 0 && <p className="mute">{t('moreProjects', { count: more })}</p>}
    </section>
  )
}

function ProjectTile({ present }: { present: ProjectState }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const { project, counts, alarms, faults, warnings, kw, isLeast } = present
  const kind = alarms > 0 ? 'alarm' : faults > 0 ? 'fault' : warnings > 0 ? 'warning' : null
  const shown = (['tripped', 'unknown', 'offline'] as const).filter((state) => counts[state] > 0)
  return (
    <Link className={`project-tile ${kind ?? 'calm'}`} to={plantDiagram(project.HouseID)}>
      <b className="name">
        {kind && <Mark kind={kind} size={20} />}
        <bdi>{project.Name}</bdi>
      </b>
      <span className="power">
        {kw === null ? '–' : `${isLeast ? '≥ ' : ''}${figure(kw, kw < 1_000 ? 1 : 0)}`} <small>kW</small>
      </span>
      <span className="switches">
        <SwitchSymbol state="closed" />
        <em>{counts.closed}</em>
        <SwitchSymbol state="open" />
        <em>{counts.open}</em>
        {shown.map((state) => (
          <span key={state} className={`state ${state}`}>
            <SwitchSymbol state={state} />
            {counts[state]} {t(`monitor:${state}`)}
          </span>
        ))}
      </span>
      <span className="open">
        {kind === null
          ? t('noAbnormal')
          : [
              alarms > 0 && t('monitor:kindCounts.alarm', { count: alarms }),
              faults > 0 && t('monitor:kindCounts.fault', { count: faults }),
              warnings > 0 && t('monitor:kindCounts.warning', { count: warnings }),
            ]
              .filter(Boolean)
              .join(' · ')}
      </span>
    </Link>
  )
}
