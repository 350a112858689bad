import type { Project } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../plant/amount.ts'
import { Mark } from '../../ui/mark.tsx'
import './project-overview.css'

/** Where there is more equipment than one table can show at once: the projects, worst first, each a way in. */
export function ProjectOverview({ projects, onOpen }: { projects: readonly Project[]; onOpen: (project: Project) => void }) {
  const { t } = useTranslation('monitor')
  const sorted = [...projects].sort((a, b) => badness(b) - badness(a))
  return (
    <div className="overview">
      <p className="mute">{t('tooMany')}</p>
      <ul>
        {sorted.map((project) => (
          <li key={project.HouseID}>
            <button type="button" onClick={() => onOpen(project)}>
              <bdi className="name">{project.Name}</bdi>
              <span className="kinds">
                {project.Counts.Away > 0 && (
                  <span className="away">
                    <Mark kind="off" size={12} /> {t('awayBelow', { count: project.Counts.Away })}
                  </span>
                )}
                {(['Alarm', 'Fault', 'Warning'] as const).map((kind) => {
                  const mark = kind.toLowerCase() as 'alarm' | 'fault' | 'warning'
                  return (
                    project.Counts[kind] > 0 && (
                      <span key={kind} className={mark}>
                        <Mark kind={mark} size={12} /> {project.Counts[kind]}
                      </span>
                    )
                  )
                })}
              </span>
              <span className="mute">
                {amountOf(t, project.Counts.Lines - project.Counts.Detectors, project.Counts.Detectors)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const badness = ({ Counts }: Project): number => Counts.Alarm * 1e6 + Counts.Fault * 1e3 + Counts.Warning + Counts.Away
