import { inBoth } from '../../../ui/in-both.ts'

/** How a wall opens without a person. */
export const linkTexts = inBoth(
  {
    refused: '链接已失效，请联系管理员',
    refusedHint: '本机未保留任何数据。管理员可在“系统管理 › 项目管理 › 大屏链接”中重新生成链接。',
    waitsHint: '管理员可在“系统管理 › 项目管理 › 大屏链接”中解除另一块屏；每分钟自动重试。',
    away: '无法连接服务器',
    awayHint: '恢复连接后自动打开，无需操作。',
    pair: '大屏配对',
    code: '配对码',
    codeQr: '配对码的二维码，用手机扫描',
    pairHow: '请管理员在“系统管理 › 项目管理 › 大屏链接”中输入此配对码，或用手机扫码，再选择要显示的链接。',
    pairLeft: '{{left}}内有效，过期自动更换',
  },
  {
    refused: 'This link is not valid any more. Ask its administrator',
    refusedHint: 'Nothing was kept on this machine. An administrator makes another link under System, Projects, Screen links.',
    waitsHint: 'An administrator ends the other screen under System, Projects, Screen links. This one tries again each minute.',
    away: 'The server does not answer',
    awayHint: 'It opens by itself as soon as the server is there again.',
    pair: 'Pair this screen',
    code: 'Pairing code',
    codeQr: 'The pairing code, to be scanned with a phone',
    pairHow:
      'Ask the administrator to type this code under System, Projects, Screen links, or to scan it, and to choose the link that is shown here.',
    pairLeft: 'Good for {{left}}, then there is another one',
  },
)
