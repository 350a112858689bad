import type { Project } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { countNameOf } from '@linewarden/rules/alarm'
import { useTranslation } from 'react-i18next'
import { amountOf } from '../../plant/amount.ts'
import { tagsOn } from '../../plant/tag-counts.ts'
import { TaggedMark } from '../../plant/tag-mark.tsx'
import { useTaggedOfProjects } from '../../plant/tagged-lines.ts'
import { Mark } from '../../ui/mark.tsx'
import './project-overview.css'

/** Where there is more equipment than one table can show at once: the projects, worst first, each a way in. */
export function ProjectOverview({ projects, onOpen }: { projects: readonly Project[]; onOpen: (project: Project) => void }) {
  const { t } = useTranslation('monitor')
  const tagged = useTaggedOfProjects()
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
                <TaggedMark count={tagsOn(tagged, project.HouseID)} />
                {project.Counts.Away > 0 && (
                  <span className="away">
                    <Mark kind="off" size={12} /> {t('awayBelow', { count: project.Counts.Away })}
                  </span>
                )}
                {alarmKinds.map((kind) => {
                  const count = project.Counts[countNameOf(kind)]
                  return (
                    count > 0 && (
                      <span key={kind} className={kind}>
                        <Mark kind={kind} size={12} /> {count}
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

/** Of the worst kind first, and with the least what is away. */
const badness = ({ Counts }: Project): number =>
  alarmKinds.reduce((sum, kind) => sum * 1e3 + Counts[countNameOf(kind)], 0) + Counts.Away
