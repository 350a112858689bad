import type { LineOutcome, MissedReason, RunSkipReason } from '@linewarden/rules/automation'
import { inBoth } from '../../../ui/in-both.ts'

type RunWhy = MissedReason | RunSkipReason | 'stillWanted' | 'sceneMissing' | 'sceneDisabled'

const zh = {
  whys: {
    clockSet: '服务器时钟被拨快，越过了执行时刻；不补做',
    databaseAway: '到点时数据库不可用，恢复后已过时限；不补做',
    serverDown: '到点时服务器未运行，启动后已过时限；不补做',
    overloaded: '到点后未能及时处理，已过时限；不补做',
    disabledMeanwhile: '到点时定时已停用',
    changedMeanwhile: '到点后定时被修改，未按旧内容合闸',
    skipOnce: '有人设置了跳过',
    noSun: '当天太阳不升起或不落下',
    merged: '与同一时刻的另一执行时间合并执行',
    stillWanted: '其他定时仍需供电，未分闸',
    sceneMissing: '要执行的场景不存在',
    sceneDisabled: '要执行的场景当时已停用',
  } satisfies Record<RunWhy, string>,
  outcomes: {
    verified: '完成',
    already: '原已如此',
    underWay: '执行中',
    waiting: '等待',
    refused: '被拒绝',
    failed: '失败',
    unknown: '结果未知',
    missed: '错过',
    skipped: '跳过',
    stopped: '已停止',
  } satisfies Record<LineOutcome, string>,
  otherWhy: '原因：{{key}}',
}

/** Why a run was missed, left out or refused as a whole, and what became of each line. */
export const runWhy = inBoth(zh, {
  whys: {
    clockSet: 'The clock of the server was set forward over the due instant; it is not made up for',
    databaseAway: 'The database was away at the due instant, and back too late; it is not made up for',
    serverDown: 'No server ran at the due instant, and one started too late; it is not made up for',
    overloaded: 'It was not handled in time after the due instant; it is not made up for',
    disabledMeanwhile: 'The timer was disabled when it was due',
    changedMeanwhile: 'The timer was changed after it was due: nothing was closed by what it said before',
    skipOnce: 'Somebody had it skipped',
    noSun: 'The sun does not rise or set on that day',
    merged: 'Carried out together with another time of the same instant',
    stillWanted: 'Another timer still wants the lines on: they were not tripped',
    sceneMissing: 'The scene that it should run does not exist',
    sceneDisabled: 'The scene that it should run was disabled then',
  },
  outcomes: {
    verified: 'Done',
    already: 'Already so',
    underWay: 'Under way',
    waiting: 'Waiting',
    refused: 'Refused',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    missed: 'Missed',
    skipped: 'Skipped',
    stopped: 'Stopped',
  },
  otherWhy: 'Reason: {{key}}',
})
