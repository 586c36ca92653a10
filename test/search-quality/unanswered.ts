/**
 * What no tool of natural/tools.ts does, in both languages: an answer to one of these is to be called weak, or none is given. The
 * threshold (src/search/rank/trust.ts) was set on the first list; the second was written afterwards and is only ever counted.
 */
export const unansweredForTuning = `
asdf qwer zxcv
how do I bake sourdough bread
the meaning of life
purple elephants dance on tuesday
colourless green ideas sleep furiously
sing me a lullaby
feed the cat
walk the dog in the park
tie my shoelaces
knit a sweater
what is love
tell me a joke
water the plants in my garden
repair a bicycle tyre
polish the silverware
cut my hair
grandmother's apple pie recipe
calibrate the quantum telescope across observatories
butter the toast
paint the fence white
blorb frizzle snork
lorem ipsum dolor sit amet
teach me to swim
brush teeth twice a day
plant tulips before winter
iron a shirt without wrinkles
how tall is a giraffe
who won the battle of waterloo
marinate the chicken overnight
fold a paper crane
给猫洗澡
怎么做红烧肉
唱一首摇篮曲
今天心情不好
人生的意义是什么
帮我系鞋带
织一件毛衣
浇花
修自行车轮胎
讲个笑话
阿斯蒂芬去玩
紫色的大象在跳舞
教我游泳
剪头发
长颈鹿有多高
滑铁卢战役谁赢了
把鸡肉腌一晚
擦皮鞋
白日依山尽黄河入海流
床前明月光
`

export const unansweredOnlyCounted = `
sharpen the kitchen knives
my shoes are too tight
why do leaves turn red in autumn
sweep the chimney before christmas
how long do tortoises live
zxqv wlorp drindle
soothe a crying baby
the quick brown fox jumps over the lazy dog
whistle while washing the dishes
mend a torn sock
does honey ever spoil
carve a pumpkin
how are you feeling
tame a wild horse
hum an old melody
peel twelve potatoes
to be or not to be
rinse the rice three times
what do penguins eat
tighten the screws of a chair
磨刀
鞋子太紧了
秋天叶子为什么变红
打扫烟囱
乌龟能活多少年
啦啦啦啦
哄宝宝睡觉
补袜子
蜂蜜会坏吗
雕刻南瓜
你心情如何
驯服一匹野马
削土豆皮
淘米三遍
企鹅吃什么
拧紧椅子的螺丝
春眠不觉晓
晒被子
包饺子
天空为什么是蓝的
`
