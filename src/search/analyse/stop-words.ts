const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** English words that say nothing about which tool is meant, whether in a query or in a description. */
export const stopWords = set(`
  a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in
  into is it its itself just let like me more most my myself need no nor not now of off on once only or other our ours
  out over own please same she should so some such than that the their theirs them then there these they this those
  through to too under until up us very want was we were what when where which while who whom why will with would you
  your yours im ive tell give help provide using used wants s t d m ll re ve don doesn didn isn aren won`)

/** Words of asking: common in queries, where they carry no need. In a tool's name they may be the point. */
export const askingWords = set(`
  tool tools user wants also know looking could would may might shall someone something anything everything thing things
  i'd i'm kindly thanks thank hi hello hey ok okay really maybe much many lot lots way ways able want wanna going gonna
  try trying interested wondering wonder curious hope love great good best make sure`)

/** Chinese function characters: alone they say nothing. Words that contain them are still matched as pairs. */
export const stopCharacters: ReadonlySet<string> = new Set(
  '的了是我你他她它们吗呢吧啊请帮把被和与及或在有个这那就都也还想要给对为以能可会将从到让您嘛呀哦么什怎吗些某',
)
