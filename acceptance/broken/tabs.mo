model Tabs
	Real	x;
equation
	x	=	y;
end Tabs;
