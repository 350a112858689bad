import type { Linkage } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

type LinkageMark = Linkage['Mark']

const shapes: Readonly<Record<LinkageMark, string>> = {
  live: 'M1 7h12',
  shadow: 'M1 7h2.500M5.800 7h2.500M10.600 7h2.500',
  halted: 'M2 2h10v10H2zM5 7h4',
  blind: 'M1 7c3-5 9-5 12 0-3 5-9 5-12 0zM7 5.500v3M2 12 12 2',
  disabled: 'M2 2h10v10H2z',
}

/** How a linkage stands: solid it orders, dashed it only logs, halted it stopped itself and waits for somebody, struck eye it cannot know. */
export function ModeMark({ mark }: { mark: LinkageMark }) {
  return (
    <svg className={`mode-mark ${mark}`} viewBox="0 0 14 14" width={14} height={14} aria-hidden="true">
      <path d={shapes[mark]} fill="none" stroke="currentColor" strokeWidth={mark === 'live' || mark === 'shadow' ? 2.4 : 1.5} />
    </svg>
  )
}

export function ModeWord({ mark }: { mark: LinkageMark }) {
  const { t } = useTranslation('linkages')
  return (
    <span className={`mode ${mark}`}>
      <ModeMark mark={mark} />
      {t(`marks.${mark}`)}
    </span>
  )
}
