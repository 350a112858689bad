import { page } from '../../terms/page.ts'

export const pages = {
  'timer.list': page('timer', 1, '定时列表', 'Timers', '/timer/list'),
  'timer.log': page('timer', 2, '定时日志', 'Timer log', '/timer/log'),
  'scene.list': page('timer', 3, '场景列表', 'Scenes', '/scene/list'),
  'scene.log': page('timer', 4, '场景日志', 'Scene log', '/scene/log'),
  'linkage.list': page('timer', 5, '联动列表', 'Linkages', '/linkage/list'),
  'linkage.log': page('timer', 6, '联动日志', 'Linkage log', '/linkage/log'),
} as const
